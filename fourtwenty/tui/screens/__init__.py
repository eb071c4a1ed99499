"""The screens, one a file. Each is a view: it shows a value, and ends with one."""
