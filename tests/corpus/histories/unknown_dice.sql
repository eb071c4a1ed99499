PRAGMA application_id = 875704353;
PRAGMA user_version = 5;
BEGIN TRANSACTION;
CREATE TABLE event (
            match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
            number INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            roll TEXT,
            faces TEXT NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID
        ;
INSERT INTO "event" VALUES(2,0,1,'1234','5232');
INSERT INTO "event" VALUES(2,1,0,'1234','1352');
INSERT INTO "event" VALUES(2,2,1,'234','514');
INSERT INTO "event" VALUES(2,3,0,'124','633');
INSERT INTO "event" VALUES(2,4,1,'34','21');
INSERT INTO "event" VALUES(2,5,0,'24','23');
INSERT INTO "event" VALUES(2,6,1,'34','52');
INSERT INTO "event" VALUES(2,7,0,'24','52');
INSERT INTO "event" VALUES(2,8,1,'14','42');
INSERT INTO "event" VALUES(2,9,0,'4','1');
INSERT INTO "event" VALUES(2,10,1,'14','24');
INSERT INTO "event" VALUES(2,11,0,'4','2');
INSERT INTO "event" VALUES(2,12,1,'14','66');
INSERT INTO "event" VALUES(2,13,0,'4','2');
INSERT INTO "event" VALUES(2,14,1,'1234','4656');
INSERT INTO "event" VALUES(2,15,0,'4','4');
CREATE TABLE hint (
            match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
            number INTEGER NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID
        ;
CREATE TABLE match (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL,
            started TEXT NOT NULL,
            played TEXT NOT NULL,
            finished INTEGER NOT NULL DEFAULT 0,
            measured INTEGER NOT NULL DEFAULT 0,
            news TEXT NOT NULL,
            names TEXT NOT NULL,
            claim TEXT NOT NULL,
            dice TEXT NOT NULL,
            chance BLOB NOT NULL,
            position TEXT,
            lineup TEXT NOT NULL
        , taken_back INTEGER NOT NULL DEFAULT 0, events INTEGER NOT NULL DEFAULT 0, identifier TEXT, words TEXT, given INTEGER NOT NULL DEFAULT 0, coaching TEXT, bets TEXT);
INSERT INTO "match" VALUES(2,'420','2026-11-22T17:10:06+00:00','2026-11-22T17:10:06+00:00',1,0,'Bold buys the drinks','steady
bold','bd69d634f82210ac','fai0',X'0000000000000000000000000000000000000000000000000000000000000009','- *>- roll 1','{"seats": [{"name": "Steady", "bot": "Steady"}, {"name": "Bold", "bot": "Bold"}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false, "first_to": 0}',0,16,'e55b3f0d6699eca4e9c66ff3b68b997d','["", ""]',1,'[]','[]');
CREATE TABLE seat (
            folded TEXT NOT NULL,
            game TEXT NOT NULL,
            match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            name TEXT NOT NULL,
            bot TEXT,
            dice TEXT NOT NULL,
            place INTEGER,
            last INTEGER,
            rounds INTEGER,
            ones INTEGER, twos INTEGER, threes INTEGER, fours INTEGER, fives INTEGER, sixes INTEGER,
            lost REAL,
            decisions INTEGER,
            luck REAL,
            drinks REAL,
            PRIMARY KEY (folded, game, match)
        ) WITHOUT ROWID
        ;
INSERT INTO "seat" VALUES('bold','420',2,1,'Bold','Bold','fair',2,1,0,2,5,2,4,4,4,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('steady','420',2,0,'Steady','Steady','fair',1,0,1,2,5,4,1,2,1,NULL,NULL,NULL,NULL);
CREATE INDEX match_names ON match (id, names);
CREATE INDEX match_waiting ON match (played) WHERE NOT finished;
CREATE INDEX match_unmeasured ON match (id) WHERE finished AND NOT measured;
CREATE INDEX seat_match ON seat (match, seat);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('match',2);
COMMIT;
