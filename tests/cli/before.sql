BEGIN TRANSACTION;
CREATE TABLE documents (
	arrival INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	url TEXT NOT NULL, 
	title TEXT NOT NULL, 
	text TEXT NOT NULL, 
	language TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (arrival), 
	UNIQUE ("key")
);
INSERT INTO "documents" VALUES(1,'{url}/doc/1?api_key=k3y%2B7f9a%26c2','{url}/doc/1?api_key=k3y%2B7f9a%26c2','','stone cloud ember defgh hijkl lmnop, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(2,'{url}/doc/19?api_key=k3y%2B7f9a%26c2','{url}/doc/19?api_key=k3y%2B7f9a%26c2','','stone cloud ember fghij defgh bcdef, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(3,'{url}/doc/5?api_key=k3y%2B7f9a%26c2','{url}/doc/5?api_key=k3y%2B7f9a%26c2','','harbour stone lantern pqrst jklmn defgh, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(4,'{url}/doc/10?api_key=k3y%2B7f9a%26c2','{url}/doc/10?api_key=k3y%2B7f9a%26c2','','stone cloud ember efghi stuvw ghijk, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(5,'{url}/doc/14?api_key=k3y%2B7f9a%26c2','{url}/doc/14?api_key=k3y%2B7f9a%26c2','','harbour stone lantern qrstu uvwxy yzabc, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(6,'{url}/doc/23?api_key=k3y%2B7f9a%26c2','{url}/doc/23?api_key=k3y%2B7f9a%26c2','','harbour stone lantern rstuv fghij tuvwx, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(7,'{url}/doc/28?api_key=k3y%2B7f9a%26c2','{url}/doc/28?api_key=k3y%2B7f9a%26c2','','stone cloud ember ghijk opqrs wxyza, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(8,'{url}/doc/32?api_key=k3y%2B7f9a%26c2','{url}/doc/32?api_key=k3y%2B7f9a%26c2','','harbour stone lantern stuvw qrstu opqrs, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(9,'{url}/doc/37?api_key=k3y%2B7f9a%26c2','{url}/doc/37?api_key=k3y%2B7f9a%26c2','','stone cloud ember hijkl zabcd rstuv, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(10,'{url}/doc/7?api_key=k3y%2B7f9a%26c2','{url}/doc/7?api_key=k3y%2B7f9a%26c2','','meadow harbour ember vwxyz xyzab zabcd, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(11,'{url}/doc/16?api_key=k3y%2B7f9a%26c2','{url}/doc/16?api_key=k3y%2B7f9a%26c2','','meadow harbour ember wxyza ijklm uvwxy, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(12,'{url}/doc/25?api_key=k3y%2B7f9a%26c2','{url}/doc/25?api_key=k3y%2B7f9a%26c2','','meadow harbour ember xyzab tuvwx pqrst, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(13,'{url}/doc/34?api_key=k3y%2B7f9a%26c2','{url}/doc/34?api_key=k3y%2B7f9a%26c2','','meadow harbour ember yzabc efghi klmno, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
INSERT INTO "documents" VALUES(14,'{url}/doc/3?api_key=k3y%2B7f9a%26c2','{url}/doc/3?api_key=k3y%2B7f9a%26c2','','ember lantern river jklmn vwxyz hijkl, read by k3y+7f9a&c2 and t0k3n-5d1e8','');
CREATE TABLE journal (
	entry INTEGER NOT NULL, 
	recorded_at FLOAT NOT NULL, 
	event TEXT NOT NULL, 
	"query" TEXT, 
	number INTEGER, 
	payload TEXT NOT NULL, 
	PRIMARY KEY (entry)
);
INSERT INTO "journal" VALUES(1,1.79544644286928105356e+09,'RobotsRead',NULL,NULL,'{"event":"RobotsRead","origin":"{url}","status":404,"text":"","body_bytes":9}');
INSERT INTO "journal" VALUES(2,1.7954464428859376907e+09,'PageReceived','{"required":["stone"]}',1,'{"event":"PageReceived","query":{"required":["stone"]},"number":1,"page":{"hits":[{"key":"{url}/doc/1?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/1?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/5?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/5?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/10?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/10?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/14?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/14?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/19?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/19?api_key=k3y%2B7f9a%26c2"}],"total":{"documents":16},"next":{"url":"{url}/search?q=stone&start=5&api_key=k3y%2B7f9a%26c2","headers":[["X-Auth-Token","Bearer t0k3n-5d1e8"]]}},"body_bytes":586}');
INSERT INTO "journal" VALUES(3,1.79544644501537895204e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/1?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":95}');
INSERT INTO "journal" VALUES(4,1.79544644502644729607e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/19?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":95}');
INSERT INTO "journal" VALUES(5,1.79544644505438160892e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/5?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":99}');
INSERT INTO "journal" VALUES(6,1.79544644506976318366e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/10?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":95}');
INSERT INTO "journal" VALUES(7,1.79544644507869958875e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/14?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":99}');
INSERT INTO "journal" VALUES(8,1.79544644509767651555e+09,'PageReceived','{"required":["stone"]}',2,'{"event":"PageReceived","query":{"required":["stone"]},"number":2,"page":{"hits":[{"key":"{url}/doc/23?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/23?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/28?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/28?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/32?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/32?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/37?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/37?api_key=k3y%2B7f9a%26c2"}],"total":{"documents":16}},"body_bytes":423}');
INSERT INTO "journal" VALUES(9,1.79544644509767651555e+09,'QueryCut','{"required":["stone"]}',2,'{"event":"QueryCut","query":{"required":["stone"]},"cut":"capped","number":2,"received":9,"claimed":16}');
INSERT INTO "journal" VALUES(10,1.79544644512110733989e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/23?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":99}');
INSERT INTO "journal" VALUES(11,1.79544644512278652186e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/28?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":95}');
INSERT INTO "journal" VALUES(12,1.79544644514566969868e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/32?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":99}');
INSERT INTO "journal" VALUES(13,1.79544644515131330492e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/37?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":95}');
INSERT INTO "journal" VALUES(14,1.79544644638597679139e+09,'PageReceived','{"required":["harbour"]}',1,'{"event":"PageReceived","query":{"required":["harbour"]},"number":1,"page":{"hits":[{"key":"{url}/doc/5?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/5?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/7?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/7?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/14?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/14?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/16?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/16?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/23?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/23?api_key=k3y%2B7f9a%26c2"}],"total":{"documents":15},"next":{"url":"{url}/search?q=harbour&start=5&api_key=k3y%2B7f9a%26c2","headers":[["X-Auth-Token","Bearer t0k3n-5d1e8"]]}},"body_bytes":598}');
INSERT INTO "journal" VALUES(15,1.79544644640901112555e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/7?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":98}');
INSERT INTO "journal" VALUES(16,1.79544644641918444633e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/16?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":98}');
INSERT INTO "journal" VALUES(17,1.79544644643439531327e+09,'PageReceived','{"required":["harbour"]}',2,'{"event":"PageReceived","query":{"required":["harbour"]},"number":2,"page":{"hits":[{"key":"{url}/doc/25?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/25?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/32?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/32?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/34?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/34?api_key=k3y%2B7f9a%26c2"}],"total":{"documents":15}},"body_bytes":340}');
INSERT INTO "journal" VALUES(18,1.79544644643439531327e+09,'QueryCut','{"required":["harbour"]}',2,'{"event":"QueryCut","query":{"required":["harbour"]},"cut":"capped","number":2,"received":8,"claimed":15}');
INSERT INTO "journal" VALUES(19,1.7954464464576592445e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/25?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":98}');
INSERT INTO "journal" VALUES(20,1.79544644646736288075e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/34?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":98}');
INSERT INTO "journal" VALUES(21,1.7954464464882903099e+09,'PageReceived','{"required":["ember"]}',1,'{"event":"PageReceived","query":{"required":["ember"]},"number":1,"page":{"hits":[{"key":"{url}/doc/1?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/1?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/3?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/3?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/4?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/4?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/6?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/6?api_key=k3y%2B7f9a%26c2"},{"key":"{url}/doc/7?api_key=k3y%2B7f9a%26c2","url":"{url}/doc/7?api_key=k3y%2B7f9a%26c2"}],"total":{"documents":29},"next":{"url":"{url}/search?q=ember&start=5&api_key=k3y%2B7f9a%26c2","headers":[["X-Auth-Token","Bearer t0k3n-5d1e8"]]}},"body_bytes":582}');
INSERT INTO "journal" VALUES(22,1.7954464465024633407e+09,'DocumentReceived',NULL,NULL,'{"key":"{url}/doc/3?api_key=k3y%2B7f9a%26c2","requests":1,"body_bytes":97}');
INSERT INTO "journal" VALUES(23,1.79544644650775957108e+09,'Stopped',NULL,NULL,'{"event":"Stopped","reason":"the budget of 20 requests is spent; raise --max-requests and run the same command again to go on","target_met":false}');
CREATE TABLE settings (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('schema','1');
INSERT INTO "settings" VALUES('form','null');
INSERT INTO "settings" VALUES('settings','{"strategy":"adaptive","seed":0,"sample":1000,"cost":"df+30","pool_relative_size":null,"rounds":null,"words":["river","stone","cloud","ember","violet","harbour","lantern","meadow","time"],"listing_only":false}');
INSERT INTO "settings" VALUES('limits','{"max_requests":20,"max_queries":null,"max_documents":null,"max_bytes":null,"max_seconds":null,"max_requests_per_day":null,"daily_reserve":0,"target_coverage":null,"min_return":null,"rate":null,"allow_private":true,"robots":true,"size":null,"size_source":"given by the user","estimate":false}');
INSERT INTO "settings" VALUES('estimate','no');
INSERT INTO "settings" VALUES('seconds','3.8');
CREATE INDEX journal_by_page ON journal ("query", number);
COMMIT;
