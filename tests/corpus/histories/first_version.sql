PRAGMA application_id = 875704353;
PRAGMA user_version = 2;
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
INSERT INTO "event" VALUES(1,0,1,'1234','4615');
INSERT INTO "event" VALUES(1,1,2,'1234','3145');
INSERT INTO "event" VALUES(1,2,0,'1234','5325');
INSERT INTO "event" VALUES(1,3,1,'13','56');
INSERT INTO "event" VALUES(1,4,2,'123','554');
INSERT INTO "event" VALUES(1,5,0,'23','34');
INSERT INTO "event" VALUES(1,6,1,'1234','1153');
INSERT INTO "event" VALUES(1,7,2,'3','4');
INSERT INTO "event" VALUES(1,8,0,'23','33');
INSERT INTO "event" VALUES(1,9,1,'124','542');
INSERT INTO "event" VALUES(1,10,2,'123','362');
INSERT INTO "event" VALUES(1,11,0,'23','54');
INSERT INTO "event" VALUES(1,12,1,'24','41');
INSERT INTO "event" VALUES(1,13,2,'134','215');
INSERT INTO "event" VALUES(1,14,0,'3','4');
INSERT INTO "event" VALUES(1,15,1,'24','56');
INSERT INTO "event" VALUES(1,16,2,'134','551');
INSERT INTO "event" VALUES(1,17,0,'3','4');
INSERT INTO "event" VALUES(1,18,1,'1234','6136');
INSERT INTO "event" VALUES(1,19,2,'4','2');
INSERT INTO "event" VALUES(1,20,0,'3','1');
INSERT INTO "event" VALUES(1,21,1,'23','66');
INSERT INTO "event" VALUES(1,22,2,'24','45');
INSERT INTO "event" VALUES(1,23,0,'3','6');
INSERT INTO "event" VALUES(1,24,1,'1234','4341');
INSERT INTO "event" VALUES(1,25,2,'123','146');
INSERT INTO "event" VALUES(1,26,0,'1234','4126');
INSERT INTO "event" VALUES(1,27,1,'1234','1432');
INSERT INTO "event" VALUES(1,28,2,'1','6');
INSERT INTO "event" VALUES(1,29,0,'23','25');
INSERT INTO "event" VALUES(1,30,1,'1234','4633');
INSERT INTO "event" VALUES(1,31,2,'1234','1614');
INSERT INTO "event" VALUES(1,32,0,'2','5');
INSERT INTO "event" VALUES(1,33,2,'1234','5643');
INSERT INTO "event" VALUES(1,34,1,'1234','6355');
INSERT INTO "event" VALUES(1,35,2,'14','35');
INSERT INTO "event" VALUES(1,36,1,'23','12');
INSERT INTO "event" VALUES(1,37,2,'1','4');
INSERT INTO "event" VALUES(1,38,1,'23','23');
INSERT INTO "event" VALUES(1,39,2,'1','2');
INSERT INTO "event" VALUES(1,40,1,'23','44');
INSERT INTO "event" VALUES(1,41,2,'134','556');
INSERT INTO "event" VALUES(1,42,1,'23','53');
INSERT INTO "event" VALUES(1,43,2,'1234','5153');
INSERT INTO "event" VALUES(1,44,1,'23','64');
INSERT INTO "event" VALUES(1,45,2,'24','35');
INSERT INTO "event" VALUES(1,46,1,'1234','6161');
INSERT INTO "event" VALUES(1,47,2,'12','15');
INSERT INTO "event" VALUES(1,48,1,'24','21');
INSERT INTO "event" VALUES(1,49,2,'12','14');
INSERT INTO "event" VALUES(1,50,1,'24','41');
INSERT INTO "event" VALUES(1,51,2,'1234','4131');
INSERT INTO "event" VALUES(1,52,1,'24','11');
INSERT INTO "event" VALUES(1,53,2,'1234','3634');
INSERT INTO "event" VALUES(1,54,1,'24','43');
INSERT INTO "event" VALUES(1,55,2,'1234','4613');
INSERT INTO "event" VALUES(1,56,1,'24','14');
INSERT INTO "event" VALUES(1,57,2,'134','521');
INSERT INTO "event" VALUES(1,58,1,'24','66');
INSERT INTO "event" VALUES(1,59,2,'134','351');
INSERT INTO "event" VALUES(1,60,1,'1234','2442');
INSERT INTO "event" VALUES(1,61,2,'1234','5645');
INSERT INTO "event" VALUES(2,0,0,'1234','1653');
INSERT INTO "event" VALUES(2,1,1,'1234','1332');
INSERT INTO "event" VALUES(3,0,0,'1234','6551');
INSERT INTO "event" VALUES(3,1,1,'1234','6554');
INSERT INTO "event" VALUES(4,0,0,'1234','6551');
INSERT INTO "event" VALUES(4,1,1,'1234','4332');
INSERT INTO "event" VALUES(5,0,0,'1','1');
INSERT INTO "event" VALUES(5,1,1,'1','5');
INSERT INTO "event" VALUES(5,2,2,'1','4');
INSERT INTO "event" VALUES(5,3,1,'123','453');
INSERT INTO "event" VALUES(5,4,2,'123','244');
INSERT INTO "event" VALUES(5,5,0,'123','312');
INSERT INTO "event" VALUES(5,6,0,'123','441');
INSERT INTO "event" VALUES(5,7,1,'123','342');
INSERT INTO "event" VALUES(5,8,2,'123','464');
INSERT INTO "event" VALUES(5,9,1,'123','262');
INSERT INTO "event" VALUES(5,10,2,'123','234');
INSERT INTO "event" VALUES(5,11,0,'123','322');
INSERT INTO "event" VALUES(5,12,2,'123','132');
INSERT INTO "event" VALUES(5,13,0,'123','651');
INSERT INTO "event" VALUES(5,14,1,'123','616');
INSERT INTO "event" VALUES(5,15,0,'123','553');
INSERT INTO "event" VALUES(5,16,1,'123','565');
INSERT INTO "event" VALUES(5,17,2,'123','546');
INSERT INTO "event" VALUES(5,18,2,'123','453');
INSERT INTO "event" VALUES(5,19,2,'23','61');
INSERT INTO "event" VALUES(5,20,2,'2','6');
INSERT INTO "event" VALUES(5,21,0,'123','553');
INSERT INTO "event" VALUES(5,22,0,NULL,'');
INSERT INTO "event" VALUES(5,23,1,'123','431');
INSERT INTO "event" VALUES(5,24,1,'23','11');
INSERT INTO "event" VALUES(5,25,1,'23','34');
INSERT INTO "event" VALUES(5,26,2,'123','255');
INSERT INTO "event" VALUES(5,27,2,'2','3');
INSERT INTO "event" VALUES(5,28,2,'2','2');
INSERT INTO "event" VALUES(5,29,1,'123','124');
INSERT INTO "event" VALUES(5,30,1,'12','52');
INSERT INTO "event" VALUES(5,31,1,'23','33');
INSERT INTO "event" VALUES(5,32,2,'123','542');
INSERT INTO "event" VALUES(5,33,2,'123','544');
INSERT INTO "event" VALUES(5,34,2,'1','6');
INSERT INTO "event" VALUES(5,35,1,'123','322');
INSERT INTO "event" VALUES(5,36,1,'23','46');
INSERT INTO "event" VALUES(5,37,1,'12','31');
INSERT INTO "event" VALUES(5,38,1,'123','236');
INSERT INTO "event" VALUES(5,39,1,'12','23');
INSERT INTO "event" VALUES(5,40,1,'12','31');
INSERT INTO "event" VALUES(5,41,2,'123','432');
INSERT INTO "event" VALUES(5,42,2,'1','6');
INSERT INTO "event" VALUES(5,43,2,'23','25');
INSERT INTO "event" VALUES(5,44,1,'123','633');
INSERT INTO "event" VALUES(5,45,1,'23','56');
INSERT INTO "event" VALUES(5,46,1,'12','35');
INSERT INTO "event" VALUES(5,47,2,'123','465');
INSERT INTO "event" VALUES(5,48,2,'23','26');
INSERT INTO "event" VALUES(5,49,2,'23','34');
INSERT INTO "event" VALUES(5,50,1,'123','245');
INSERT INTO "event" VALUES(5,51,1,'12','55');
INSERT INTO "event" VALUES(5,52,1,'12','24');
INSERT INTO "event" VALUES(5,53,2,'123','132');
INSERT INTO "event" VALUES(5,54,2,'1','2');
INSERT INTO "event" VALUES(5,55,2,'13','13');
INSERT INTO "event" VALUES(5,56,1,'123','556');
INSERT INTO "event" VALUES(5,57,1,'12','62');
INSERT INTO "event" VALUES(5,58,1,'12','14');
INSERT INTO "event" VALUES(5,59,2,'123','555');
INSERT INTO "event" VALUES(5,60,2,'12','32');
INSERT INTO "event" VALUES(5,61,2,'12','24');
INSERT INTO "event" VALUES(5,62,2,'123','561');
INSERT INTO "event" VALUES(5,63,2,'123','165');
INSERT INTO "event" VALUES(5,64,2,'3','4');
INSERT INTO "event" VALUES(5,65,1,'123','655');
INSERT INTO "event" VALUES(5,66,1,'23','26');
INSERT INTO "event" VALUES(5,67,1,'12','42');
INSERT INTO "event" VALUES(5,68,2,'123','531');
INSERT INTO "event" VALUES(5,69,2,'2','2');
INSERT INTO "event" VALUES(5,70,2,'13','46');
INSERT INTO "event" VALUES(5,71,1,'123','654');
INSERT INTO "event" VALUES(5,72,1,'23','46');
INSERT INTO "event" VALUES(5,73,1,'12','25');
INSERT INTO "event" VALUES(5,74,2,'123','631');
INSERT INTO "event" VALUES(5,75,2,'12','12');
INSERT INTO "event" VALUES(5,76,2,'1','6');
INSERT INTO "event" VALUES(5,77,1,'123','542');
INSERT INTO "event" VALUES(5,78,1,'23','24');
INSERT INTO "event" VALUES(5,79,1,'23','54');
INSERT INTO "event" VALUES(5,80,2,'123','263');
INSERT INTO "event" VALUES(5,81,2,'3','2');
INSERT INTO "event" VALUES(5,82,2,'13','55');
INSERT INTO "event" VALUES(5,83,1,'123','556');
INSERT INTO "event" VALUES(5,84,1,'12','22');
INSERT INTO "event" VALUES(5,85,1,'12','43');
INSERT INTO "event" VALUES(5,86,1,'123','234');
INSERT INTO "event" VALUES(5,87,1,'12','25');
INSERT INTO "event" VALUES(5,88,1,'13','54');
INSERT INTO "event" VALUES(5,89,2,'123','115');
INSERT INTO "event" VALUES(5,90,2,'3','4');
INSERT INTO "event" VALUES(5,91,2,'12','53');
INSERT INTO "event" VALUES(5,92,2,'123','616');
INSERT INTO "event" VALUES(5,93,2,'2','1');
INSERT INTO "event" VALUES(5,94,2,'13','63');
INSERT INTO "event" VALUES(5,95,1,'123','422');
INSERT INTO "event" VALUES(5,96,1,'23','55');
INSERT INTO "event" VALUES(5,97,1,'12','45');
INSERT INTO "event" VALUES(5,98,2,'123','551');
INSERT INTO "event" VALUES(5,99,2,'13','36');
INSERT INTO "event" VALUES(5,100,2,'1','6');
INSERT INTO "event" VALUES(5,101,1,'123','326');
INSERT INTO "event" VALUES(5,102,1,'12','46');
INSERT INTO "event" VALUES(5,103,1,'12','51');
INSERT INTO "event" VALUES(5,104,1,'123','131');
INSERT INTO "event" VALUES(5,105,1,'13','13');
INSERT INTO "event" VALUES(5,106,1,'12','41');
INSERT INTO "event" VALUES(5,107,2,'123','633');
INSERT INTO "event" VALUES(5,108,2,'1','5');
INSERT INTO "event" VALUES(5,109,2,'1','3');
INSERT INTO "event" VALUES(5,110,1,'123','563');
INSERT INTO "event" VALUES(5,111,1,'13','15');
INSERT INTO "event" VALUES(5,112,1,'13','43');
INSERT INTO "event" VALUES(5,113,2,'123','215');
INSERT INTO "event" VALUES(5,114,2,'13','21');
INSERT INTO "event" VALUES(5,115,2,'23','54');
INSERT INTO "event" VALUES(5,116,2,'123','462');
INSERT INTO "event" VALUES(5,117,2,'2','4');
INSERT INTO "event" VALUES(5,118,2,'12','53');
INSERT INTO "event" VALUES(5,119,1,'123','144');
INSERT INTO "event" VALUES(5,120,1,'12','66');
INSERT INTO "event" VALUES(5,121,1,'13','32');
INSERT INTO "event" VALUES(5,122,2,'123','165');
INSERT INTO "event" VALUES(5,123,2,'13','16');
INSERT INTO "event" VALUES(5,124,2,'23','16');
INSERT INTO "event" VALUES(5,125,1,'123','542');
INSERT INTO "event" VALUES(5,126,1,'23','14');
INSERT INTO "event" VALUES(5,127,1,'23','24');
INSERT INTO "event" VALUES(5,128,1,'123','433');
INSERT INTO "event" VALUES(5,129,1,'23','22');
INSERT INTO "event" VALUES(5,130,1,'23','65');
INSERT INTO "event" VALUES(5,131,2,'123','652');
INSERT INTO "event" VALUES(5,132,2,'12','53');
INSERT INTO "event" VALUES(5,133,2,'23','46');
INSERT INTO "event" VALUES(5,134,1,'123','554');
INSERT INTO "event" VALUES(5,135,2,'123','621');
INSERT INTO "event" VALUES(5,136,2,'123','326');
INSERT INTO "event" VALUES(5,137,2,NULL,'');
INSERT INTO "event" VALUES(5,138,1,'123','533');
INSERT INTO "event" VALUES(5,139,1,'23','24');
INSERT INTO "event" VALUES(5,140,1,'23','45');
INSERT INTO "event" VALUES(5,141,2,'123','642');
INSERT INTO "event" VALUES(5,142,2,'3','3');
INSERT INTO "event" VALUES(5,143,2,'1','6');
INSERT INTO "event" VALUES(5,144,1,'123','522');
INSERT INTO "event" VALUES(5,145,1,'23','53');
INSERT INTO "event" VALUES(5,146,1,'13','26');
INSERT INTO "event" VALUES(5,147,2,'123','336');
INSERT INTO "event" VALUES(5,148,2,'1','6');
INSERT INTO "event" VALUES(5,149,2,'123','464');
INSERT INTO "event" VALUES(5,150,1,'123','511');
INSERT INTO "event" VALUES(5,151,1,'23','21');
INSERT INTO "event" VALUES(5,152,1,'23','34');
INSERT INTO "event" VALUES(5,153,1,'123','255');
INSERT INTO "event" VALUES(5,154,1,'12','11');
INSERT INTO "event" VALUES(5,155,1,'12','53');
INSERT INTO "event" VALUES(5,156,2,'123','565');
INSERT INTO "event" VALUES(5,157,2,NULL,'');
INSERT INTO "event" VALUES(5,158,1,'123','525');
INSERT INTO "event" VALUES(5,159,1,'12','11');
INSERT INTO "event" VALUES(5,160,1,'12','56');
INSERT INTO "event" VALUES(5,161,2,'123','445');
INSERT INTO "event" VALUES(5,162,2,'13','25');
INSERT INTO "event" VALUES(5,163,2,'1','5');
INSERT INTO "event" VALUES(5,164,2,'123','456');
INSERT INTO "event" VALUES(5,165,2,'23','61');
INSERT INTO "event" VALUES(5,166,2,'2','2');
INSERT INTO "event" VALUES(5,167,1,'123','134');
INSERT INTO "event" VALUES(5,168,1,'12','63');
INSERT INTO "event" VALUES(5,169,1,'23','51');
INSERT INTO "event" VALUES(6,0,0,'1','2');
INSERT INTO "event" VALUES(6,1,1,'1','5');
INSERT INTO "event" VALUES(6,2,2,'1','4');
INSERT INTO "event" VALUES(6,3,1,'123','564');
INSERT INTO "event" VALUES(6,4,2,'123','323');
INSERT INTO "event" VALUES(6,5,0,'123','333');
INSERT INTO "event" VALUES(6,6,1,'123','126');
INSERT INTO "event" VALUES(6,7,2,'123','435');
INSERT INTO "event" VALUES(6,8,0,'123','423');
INSERT INTO "event" VALUES(6,9,1,'123','461');
INSERT INTO "event" VALUES(6,10,2,'123','214');
INSERT INTO "event" VALUES(6,11,0,'123','356');
INSERT INTO "event" VALUES(6,12,1,'123','211');
INSERT INTO "event" VALUES(6,13,2,'123','142');
INSERT INTO "event" VALUES(6,14,0,'123','324');
INSERT INTO "event" VALUES(7,0,0,'1','3');
INSERT INTO "event" VALUES(7,1,1,'1','3');
INSERT INTO "event" VALUES(7,2,0,'1','3');
INSERT INTO "event" VALUES(7,3,1,'1','3');
INSERT INTO "event" VALUES(7,4,0,'1','2');
INSERT INTO "event" VALUES(7,5,1,'1','5');
INSERT INTO "event" VALUES(7,6,1,'123','342');
INSERT INTO "event" VALUES(7,7,0,'123','112');
INSERT INTO "event" VALUES(7,8,0,'123','666');
INSERT INTO "event" VALUES(8,0,0,'1','2');
INSERT INTO "event" VALUES(8,1,1,'1','4');
INSERT INTO "event" VALUES(8,2,2,'1','1');
INSERT INTO "event" VALUES(8,3,1,'123','235');
INSERT INTO "event" VALUES(8,4,1,'12','52');
INSERT INTO "event" VALUES(8,5,1,'12','12');
INSERT INTO "event" VALUES(8,6,2,'123','136');
INSERT INTO "event" VALUES(8,7,2,'12','56');
INSERT INTO "event" VALUES(8,8,2,'1','4');
INSERT INTO "event" VALUES(8,9,0,'123','211');
INSERT INTO "event" VALUES(8,10,0,NULL,'');
INSERT INTO "event" VALUES(8,11,2,'123','652');
INSERT INTO "event" VALUES(8,12,2,'123','223');
INSERT INTO "event" VALUES(8,13,2,NULL,'');
INSERT INTO "event" VALUES(8,14,0,'123','351');
INSERT INTO "event" VALUES(8,15,0,NULL,'');
INSERT INTO "event" VALUES(8,16,1,'123','552');
INSERT INTO "event" VALUES(8,17,1,'13','41');
INSERT INTO "event" VALUES(8,18,0,'123','554');
INSERT INTO "event" VALUES(8,19,0,NULL,'');
INSERT INTO "event" VALUES(8,20,1,'123','164');
INSERT INTO "event" VALUES(8,21,2,'123','132');
INSERT INTO "event" VALUES(8,22,1,'123','454');
INSERT INTO "event" VALUES(8,23,1,'13','66');
INSERT INTO "event" VALUES(8,24,1,'12','13');
INSERT INTO "event" VALUES(8,25,2,'123','123');
INSERT INTO "event" VALUES(8,26,2,'12','65');
INSERT INTO "event" VALUES(8,27,2,'3','1');
INSERT INTO "event" VALUES(8,28,0,'123','511');
INSERT INTO "event" VALUES(8,29,0,NULL,'');
INSERT INTO "event" VALUES(8,30,2,'123','631');
INSERT INTO "event" VALUES(8,31,2,'123','346');
INSERT INTO "event" VALUES(8,32,2,'12','11');
INSERT INTO "event" VALUES(8,33,0,'123','663');
INSERT INTO "event" VALUES(8,34,0,NULL,'');
INSERT INTO "event" VALUES(8,35,1,'123','651');
INSERT INTO "event" VALUES(8,36,1,'23','23');
INSERT INTO "event" VALUES(8,37,1,'23','45');
INSERT INTO "event" VALUES(8,38,0,'123','642');
INSERT INTO "event" VALUES(8,39,0,NULL,'');
INSERT INTO "event" VALUES(8,40,1,'123','224');
INSERT INTO "event" VALUES(8,41,2,'123','344');
INSERT INTO "event" VALUES(8,42,1,'123','133');
INSERT INTO "event" VALUES(8,43,1,'12','35');
INSERT INTO "event" VALUES(8,44,1,'13','53');
INSERT INTO "event" VALUES(8,45,2,'123','665');
INSERT INTO "event" VALUES(8,46,2,'3','4');
INSERT INTO "event" VALUES(8,47,2,'3','2');
INSERT INTO "event" VALUES(8,48,0,'123','326');
INSERT INTO "event" VALUES(8,49,0,NULL,'');
INSERT INTO "event" VALUES(8,50,2,'123','355');
INSERT INTO "event" VALUES(8,51,2,NULL,'');
INSERT INTO "event" VALUES(8,52,0,'123','144');
INSERT INTO "event" VALUES(8,53,1,'123','335');
INSERT INTO "event" VALUES(8,54,0,'123','641');
INSERT INTO "event" VALUES(8,55,0,NULL,'');
INSERT INTO "event" VALUES(8,56,1,'123','521');
INSERT INTO "event" VALUES(8,57,2,'123','134');
INSERT INTO "event" VALUES(8,58,1,'123','144');
INSERT INTO "event" VALUES(8,59,1,'12','52');
INSERT INTO "event" VALUES(8,60,1,'23','31');
INSERT INTO "event" VALUES(8,61,2,'123','246');
INSERT INTO "event" VALUES(8,62,2,'123','166');
INSERT INTO "event" VALUES(8,63,2,'1','6');
INSERT INTO "event" VALUES(8,64,0,'123','416');
INSERT INTO "event" VALUES(8,65,0,NULL,'');
INSERT INTO "event" VALUES(9,0,1,'1234','4441');
INSERT INTO "event" VALUES(10,0,1,'1234','2134');
INSERT INTO "event" VALUES(10,1,0,'4','1');
INSERT INTO "event" VALUES(10,2,1,'1234','1522');
INSERT INTO "event" VALUES(10,3,0,'4','4');
INSERT INTO "event" VALUES(11,0,0,'1234','4165');
INSERT INTO "event" VALUES(11,1,1,'1234','1362');
CREATE TABLE hint (
            match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
            number INTEGER NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID
        ;
INSERT INTO "hint" VALUES(2,2);
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
        , taken_back INTEGER NOT NULL DEFAULT 0);
INSERT INTO "match" VALUES(1,'420','2026-11-22T17:12:16+00:00','2026-11-22T17:12:16+00:00',1,0,'Bold buys the drinks','steady
bold
tipsy','53c19e460dd23599','fair',X'0000000000000000000000000000000000000000000000000000000000000001','- *>- - roll 1','{"seats": [{"name": "Steady", "bot": "Steady"}, {"name": "Bold", "bot": "Bold"}, {"name": "Tipsy", "bot": "Tipsy"}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(2,'420','2026-11-22T17:12:16+00:00','2026-11-22T17:12:16+00:00',0,0,'Round 1 of 1 · roll 2, Ann to roll','ann
bold','56d01f4d306fb517','fair',X'0000000000000000000000000000000000000000000000000000000000000002','*>- - roll 1','{"seats": [{"name": "Ann", "bot": null}, {"name": "Bold", "bot": "Bold"}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "full", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(3,'420','2026-11-22T17:12:16+00:00','2026-11-22T17:12:16+00:00',1,0,'Ann buys the drinks','ann
ben','b785976f6064c7bb','typed',X'EDB8141304FCBD09DEFCEC683C2B7EF7C4282D3CB041774DF40A40597B211A98','*>- - roll 1','{"seats": [{"name": "Ann", "bot": null}, {"name": "Ben", "bot": null}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": true}',0);
INSERT INTO "match" VALUES(4,'420','2026-11-22T17:12:16+00:00','2026-11-22T17:12:16+00:00',0,0,'Round 1 of 1 · roll 1, Ben to roll','ann
ben','a9f3c2daf249a4a1','typed',X'FE4D90BE9E666C68D55249E80FC778EAB21602DE9738C0AA122E6309C6B47A2A','*>- - roll 1','{"seats": [{"name": "Ann", "bot": null}, {"name": "Ben", "bot": null}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": true}',1);
INSERT INTO "match" VALUES(5,'421','2026-11-22T17:12:17+00:00','2026-11-22T17:12:17+00:00',1,0,'Bold picks up the tab','steady
bold
tipsy','6971f8104472aa0b','fair',X'000000000000000000000000000000000000000000000000000000000000000A','>-=-:0 -=-:0 -=-:0 pot 21 round 1 roll 1','{"seats": [{"name": "Steady", "bot": "Steady"}, {"name": "Bold", "bot": "Bold"}, {"name": "Tipsy", "bot": "Tipsy"}], "first": null, "game": "421", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(6,'421','2026-11-22T17:12:17+00:00','2026-11-22T17:12:17+00:00',1,0,'Bold picks up the tab','steady
bold
tipsy','4b5e3f15fb194474','fair',X'0000000000000000000000000000000000000000000000000000000000000003','>-=-:0 -=-:0 -=-:0 pot 21 round 1 roll 1','{"seats": [{"name": "Steady", "bot": "Steady"}, {"name": "Bold", "bot": "Bold"}, {"name": "Tipsy", "bot": "Tipsy"}], "first": null, "game": "421", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(7,'421','2026-11-22T17:12:18+00:00','2026-11-22T17:12:18+00:00',0,0,'Charge · round 2 · pot ●●●●●●●●●●●●●●●●●●● 19, Ben to roll','ann
ben','12a3f53f59f65656','fair',X'0000000000000000000000000000000000000000000000000000000000000004','>-=-:0 -=-:0 pot 21 round 1 roll 1','{"seats": [{"name": "Ann", "bot": null}, {"name": "Ben", "bot": null}], "first": null, "game": "421", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(8,'ten-rounds','2026-11-22T17:12:18+00:00','2026-11-22T17:12:18+00:00',1,0,'Tipsy wins','steady
bold
tipsy','6dfbff5f1b2247a1','fair',X'0000000000000000000000000000000000000000000000000000000000000005','>-=- -=- -=- roll 1 of 3','{"seats": [{"name": "Steady", "bot": "Steady"}, {"name": "Bold", "bot": "Bold"}, {"name": "Tipsy", "bot": "Tipsy"}], "first": null, "game": "ten-rounds", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(9,'420','2026-11-22T17:12:18+00:00','2026-11-22T17:12:18+00:00',0,0,'Round 1 of 1 · roll 3, Ann to roll','ann
ben','ede47ae25e569041','fair',X'0000000000000000000000000000000000000000000000000000000000000006','*6551 >4332 roll 2','{"seats": [{"name": "Ann", "bot": null}, {"name": "Ben", "bot": null}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(10,'420','2026-11-22T17:12:19+00:00','2026-11-22T17:12:19+00:00',1,0,'Bold buys the drinks','steady
bold','ae439d9cb5d29f10','fair',X'0000000000000000000000000000000000000000000000000000000000000007','*6551 >4332 roll 2','{"seats": [{"name": "Steady", "bot": "Steady"}, {"name": "Bold", "bot": "Bold"}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
INSERT INTO "match" VALUES(11,'420','2026-11-22T17:12:19+00:00','2026-11-22T17:12:19+00:00',0,0,'Round 1 of 2 · roll 1, [b]a[/b] to roll','zoë
김
[b]a[/b]','1f02bee83f40a899','fair',X'0000000000000000000000000000000000000000000000000000000000000008','*>- - - roll 1','{"seats": [{"name": "Zoë", "bot": null}, {"name": "김", "bot": null}, {"name": "[b]a[/b]", "bot": null}], "first": null, "game": "420", "monocolor": false, "animation": true, "coach": "off", "warning": 0, "typed": false}',0);
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
INSERT INTO "seat" VALUES('[b]a[/b]','420',11,2,'[b]a[/b]',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ann','420',2,0,'Ann',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ann','420',3,0,'Ann',NULL,'typed',2,1,0,1,0,0,0,2,1,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ann','420',4,0,'Ann',NULL,'typed',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ann','420',9,0,'Ann',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ann','421',7,0,'Ann',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ben','420',3,1,'Ben',NULL,'typed',1,0,1,0,0,0,1,2,1,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ben','420',4,1,'Ben',NULL,'typed',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ben','420',9,1,'Ben',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('ben','421',7,1,'Ben',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('bold','420',1,1,'Bold','Bold','fair',3,1,0,15,7,10,15,8,14,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('bold','420',2,1,'Bold','Bold','fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('bold','420',10,1,'Bold','Bold','fair',2,1,0,2,3,1,1,1,0,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('bold','421',5,1,'Bold','Bold','fair',3,1,16,25,36,31,34,44,24,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('bold','421',6,1,'Bold','Bold','fair',3,1,0,4,2,0,2,2,3,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('bold','ten-rounds',8,1,'Bold','Bold','fair',3,1,0,9,9,10,9,12,4,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('steady','420',1,0,'Steady','Steady','fair',1,0,1,2,3,4,5,5,2,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('steady','420',10,0,'Steady','Steady','fair',1,0,1,1,0,0,1,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('steady','421',5,0,'Steady','Steady','fair',1,0,1,4,3,4,2,5,1,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('steady','421',6,0,'Steady','Steady','fair',2,0,0,0,3,6,2,1,1,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('steady','ten-rounds',8,0,'Steady','Steady','fair',2,0,4,8,4,3,6,4,6,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('tipsy','420',1,2,'Tipsy','Tipsy','fair',2,0,1,14,5,11,13,19,9,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('tipsy','421',5,2,'Tipsy','Tipsy','fair',2,0,13,21,26,24,28,33,36,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('tipsy','421',6,2,'Tipsy','Tipsy','fair',1,0,4,2,3,3,4,1,0,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('tipsy','ten-rounds',8,2,'Tipsy','Tipsy','fair',1,0,6,10,7,9,7,6,12,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('zoë','420',11,0,'Zoë',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seat" VALUES('김','420',11,1,'김',NULL,'fair',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE INDEX match_names ON match (id, names);
CREATE INDEX match_waiting ON match (played) WHERE NOT finished;
CREATE INDEX match_unmeasured ON match (id) WHERE finished AND NOT measured;
CREATE INDEX seat_match ON seat (match, seat);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('match',11);
COMMIT;
