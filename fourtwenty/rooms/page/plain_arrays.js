// TweetNaCl 1.0.3 makes some 9,000 arrays of 16 numbers to check one signature, as Float64Array. V8 stores each of more
// than 64 bytes outside its heap, which takes most of the time, and more the busier a processor is. Here they are plain
// arrays; the results are the same.
const Typed = Float64Array;
const sixteen = Array.from({length: 16}, () => 0.5).fill(0); // V8 keeps arrays that have had fractions as 64-bit numbers

globalThis.Float64Array = function (content) {
  return content === 16 ? sixteen.slice() : new Typed(content);
};
