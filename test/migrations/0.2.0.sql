-- pantry backup 1
-- {"made_at":"2026-11-27T21:41:40.270Z","migrations":["0001_catalogue","0002_sightings","0003_search","0004_families","0005_counts","0006_coverage","0007_identify","0008_statement_ids","0009_withdrawals","0010_names","0011_card_changes","0012_catalogue_state","0013_set_listings","0014_shared","0015_accounts","0016_hunt","0017_collectors","0018_passkeys","0019_mail","0020_inbox","0021_draws","0022_market","0023_set_numbers","0024_reports","0025_limits_and_keys"],"secrets":{"proofs-key":"LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1DNENBUUF3QlFZREsyVndCQ0lFSU1uNG9GTSswVWVWZUZCWktQWlhRQ2dyUWJwZldEK05kWjhaSStYdGRJclAKLS0tLS1FTkQgUFJJVkFURSBLRVktLS0tLQo="}}
copy "account_acts" ("id", "at", "actor", "act", "subject", "details") from stdin;
1	2026-11-27 21:41:00.079797+00	operator	dev-seed	database	{}
2	2026-11-27 21:41:00.083635+00	operator	people.add	41983409-332f-437f-a6b6-f4efcf317037	{"roles": []}
3	2026-11-27 21:41:00.095383+00	operator	people.add	e68b8771-1047-40e0-8142-5c3f4f601c9c	{"roles": []}
4	2026-11-27 21:41:00.099262+00	operator	people.add	4f0d3327-2ce6-47f9-9f2a-69171fea74fb	{"roles": ["admin"]}
5	2026-11-27 21:41:00.103249+00	operator	people.add	87e171fe-ddf9-42d3-ae93-5bf3c88f9e82	{"roles": []}
6	2026-11-27 21:41:00.107369+00	41983409-332f-437f-a6b6-f4efcf317037	receipts.give	7bcea3d4-5bc2-4887-9b09-19d260b0b657	{"scope": "profile", "notice_version": "2026-11-24"}
7	2026-11-27 21:41:00.115419+00	operator	people.suspend	87e171fe-ddf9-42d3-ae93-5bf3c88f9e82	{}
8	2026-11-27 21:41:00.143238+00	41983409-332f-437f-a6b6-f4efcf317037	receipts.give	ba3ed8a9-9042-43c7-820c-25d76ddd4417	{"scope": "have-list", "notice_version": "2026-11-24"}
9	2026-11-27 21:41:00.151229+00	41983409-332f-437f-a6b6-f4efcf317037	receipts.give	f6221d00-cff4-449b-b7b6-fbd5e83ff077	{"scope": "want-list", "notice_version": "2026-11-24"}
10	2026-11-27 21:41:00.153684+00	41983409-332f-437f-a6b6-f4efcf317037	receipts.give	983c1f09-150c-4317-a0c7-5df38b58940e	{"scope": "language", "notice_version": "2026-11-24"}
11	2026-11-27 21:41:00.163377+00	41983409-332f-437f-a6b6-f4efcf317037	receipts.give	16396372-e144-436d-80bb-92421c2201cf	{"scope": "region", "notice_version": "2026-11-24"}
12	2026-11-27 21:41:00.17532+00	41983409-332f-437f-a6b6-f4efcf317037	receipts.give	e345af0e-f73e-4e7e-a92d-76611ccf57fb	{"scope": "organisation", "notice_version": "2026-11-24"}
13	2026-11-27 21:41:00.183489+00	41983409-332f-437f-a6b6-f4efcf317037	organisations.put	41983409-332f-437f-a6b6-f4efcf317037	{}
14	2026-11-27 21:41:00.195578+00	operator	organisations.approve	41983409-332f-437f-a6b6-f4efcf317037	{}
15	2026-11-27 21:41:00.203797+00	operator	people.code	41983409-332f-437f-a6b6-f4efcf317037	{}
16	2026-11-27 21:41:00.23558+00	operator	people.code	4f0d3327-2ce6-47f9-9f2a-69171fea74fb	{}
17	2026-11-27 21:41:00.252972+00	operator	people.code	e68b8771-1047-40e0-8142-5c3f4f601c9c	{}
18	2026-11-27 21:41:00.267565+00	operator	keys.create	bcfa1db1-7947-47fd-854c-5809eb308275	{"kind": "agent", "tier": "standard", "scopes": ["read"]}
19	2026-11-27 21:41:00.27946+00	operator	keys.create	64c2656a-6654-4f69-806b-4f7de498226a	{"kind": "agent", "tier": "standard", "scopes": ["read", "hunt"]}
20	2026-11-27 21:41:00.282371+00	operator	keys.create	1b42dfa2-59a0-4f14-a73a-9dcdd77825b7	{"kind": "agent", "tier": "standard", "scopes": ["read", "hunt"]}
21	2026-11-27 21:41:00.291393+00	operator	keys.create	e9066fd0-4d62-48df-8498-19a3e0730f15	{"kind": "agent", "tier": "standard", "scopes": ["read", "hunt"]}
22	2026-11-27 21:41:00.294633+00	operator	keys.create	5c6b6b91-8499-41bb-b29f-1ef3a485a3a7	{"kind": "wholesale", "tier": "standard", "scopes": ["read"]}
23	2026-11-27 21:41:00.371299+00	operator	auctions.paid	9d334f8c-a6c0-4999-959d-62bf4268c32e	{}
\.
copy "artists" ("game", "name", "name_key", "works", "first_works") from stdin;
\.
copy "card_changes" ("id", "sku", "kind", "run", "source", "changed_at", "fields", "former_hash") from stdin;
1	lan-ab1-001-en	withdrawn	3	lantern	2026-11-27 21:41:39.276902+00	{}	04b73261171e984bec381b32e897dc9898cb5afcaebcaaf86442605900179e18
\.
copy "card_names" ("id", "game", "name", "skus") from stdin;
2	lan	Odd ★	{lan-p-1~2f2-en}
3	lan	Tide	{lan-ab1-002-en}
4	lan	最初の灯	{lan-ab1-001-ja}
1	lan	First Lantern	{lan-ab1-001-en-p1}
\.
copy "cards" ("sku", "set_id", "game", "set_code", "card_number", "lang", "variant", "name", "name_translations", "rarity", "illustrators", "attributes", "sources", "content_hash", "document", "digest", "first_seen_at", "updated_at", "place_key", "number_key", "printed_key") from stdin;
lan-ab1-001-en-p1	1	lan	AB1	AB1-001	en	p1	First Lantern	{"en":"First Lantern"}	\N	\N	{"block":"none","category":"spell","cost":3}	{lantern}	eaaa8d97f85be338a195ec13f354ddb290d6faecab4e8353d8942dee1ea0ec7d	null{"is_default":false,"natural_label":"p1"}{"available_languages":["en"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"First Lantern","resolved_from":"default","resolved_lang":"en"}{"block":"none","category":"spell","cost":3}null["noassertion"],"@sources":["lantern"]"AB1-001""en""AB1""ab1"ab1lanlan-ab1-001-en-p1eaaa8d97f85be338a195ec13f354ddb290d6faecab4e8353d8942dee1ea0ec7d	8e67c5827b4af5bfe5194f749964743afd89fd40bac66da963703c9ac58c4ce6	2026-11-27 21:41:32.34098+00	2026-11-27 21:41:32.34098+00	lan:ab1-1	lan:1	lan:ab1-001
lan-ab1-002-en	1	lan	AB1	AB1-002	en		Tide	{"en":"Tide"}	\N	\N	{"block":"none","category":"site","cost":0}	{lantern}	7c9596a200b73deb3a0eb0d43440fe13e434bc4beaa19b01953ea1cffff4cb6f	nullnull{"available_languages":["en"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"Tide","resolved_from":"default","resolved_lang":"en"}{"block":"none","category":"site","cost":0}null["noassertion"],"@sources":["lantern"]"AB1-002""en""AB1""ab1"ab1lanlan-ab1-002-en7c9596a200b73deb3a0eb0d43440fe13e434bc4beaa19b01953ea1cffff4cb6f	ca67ad3b4c19e5c9a67936e95c754482ee930e70e8f11354a3b61ee96fe1b6b0	2026-11-27 21:41:32.34098+00	2026-11-27 21:41:32.34098+00	lan:ab1-2	lan:2	lan:ab1-002
lan-p-1~2f2-en	2	lan	P	P-1/2	en		Odd ★	{"en":"Odd ★"}	\N	\N	{"block":"none"}	{lantern}	ea4ad2dfbcd55d7ec390526596a00967b133d5dabc195529723483c83fd3199b	nullnull{"available_languages":["en"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"Odd ★","resolved_from":"default","resolved_lang":"en"}{"block":"none"}null["noassertion"],"@sources":["lantern"]"P-1/2""en""P""p"planlan-p-1~2f2-enea4ad2dfbcd55d7ec390526596a00967b133d5dabc195529723483c83fd3199b	89a05ed8004e93cdc8a0ad7af2e850856082a3f7ece0511483d89a73f9de34d3	2026-11-27 21:41:32.34098+00	2026-11-27 21:41:32.34098+00	lan:p1-2	lan:1-2	lan:p-1/2
lan-ab1-001-ja	1	lan	AB1	AB1-001	ja		最初の灯	{"ja":"最初の灯"}	\N	\N	{"block":"none","category":"spell","cost":3}	{lantern}	563e33b8bd7b27277ef3402f2828c3cfbd17ee347ed9b18af37f6092583b07ac	nullnull{"available_languages":["ja"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"最初の灯","resolved_from":"default","resolved_lang":"ja"}{"block":"none","category":"spell","cost":3}null["noassertion"],"@sources":["lantern"]"AB1-001""ja""AB1""ab1"ab1lanlan-ab1-001-ja563e33b8bd7b27277ef3402f2828c3cfbd17ee347ed9b18af37f6092583b07ac	fe543130fada2a2cb9a77620919168d46a4220d50b0046bf0484f86f645664ac	2026-11-27 21:41:32.34098+00	2026-11-27 21:41:32.34098+00	lan:ab1-1	lan:1	lan:ab1-001
\.
copy "catalogue_state" ("name", "version") from stdin;
catalogue	0e8ababb-a915-4af8-9287-bd2e63a6bad6
\.
copy "coverage_patterns" ("game", "sightings", "cards") from stdin;
lan	[["lantern", 1, 3]]	1
lan	[["lantern", 1, null]]	4
\.
copy "declared_sets" ("source", "game", "code", "code_key", "name", "released_on", "declared_total") from stdin;
\.
copy "disagreements" ("sku", "field", "statements") from stdin;
\.
copy "draw_rates" ("digest", "rates") from stdin;
8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70	{"@kind":"booster-rates/1","game":"ptcgp","set":"b3","source":"pokemon-tcg-pocket-database","packs":[{"name":"Regular Pack","weight":947110,"places":[{"place":"1","rarities":[{"rarity":"C","weight":1000000}]},{"place":"2","rarities":[{"rarity":"C","weight":1000000}]},{"place":"3","rarities":[{"rarity":"C","weight":1000000}]},{"place":"4","rarities":[{"rarity":"UR","weight":400},{"rarity":"IM","weight":2220},{"rarity":"SR","weight":5000},{"rarity":"AR","weight":25720},{"rarity":"RR","weight":16670},{"rarity":"R","weight":50000},{"rarity":"U","weight":899990}]},{"place":"5","rarities":[{"rarity":"UR","weight":1600},{"rarity":"IM","weight":8890},{"rarity":"SR","weight":20000},{"rarity":"AR","weight":102860},{"rarity":"RR","weight":66670},{"rarity":"R","weight":200000},{"rarity":"U","weight":599980}]}]},{"name":"Rare Pack","weight":500,"places":[{"place":"1","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"2","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"3","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"4","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"5","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]}]},{"name":"Regular Pack +1","weight":52380,"places":[{"place":"1","rarities":[{"rarity":"C","weight":1000000}]},{"place":"2","rarities":[{"rarity":"C","weight":1000000}]},{"place":"3","rarities":[{"rarity":"C","weight":1000000}]},{"place":"4","rarities":[{"rarity":"UR","weight":400},{"rarity":"IM","weight":2220},{"rarity":"SR","weight":5000},{"rarity":"AR","weight":25720},{"rarity":"RR","weight":16670},{"rarity":"R","weight":50000},{"rarity":"U","weight":899990}]},{"place":"5","rarities":[{"rarity":"UR","weight":1600},{"rarity":"IM","weight":8890},{"rarity":"SR","weight":20000},{"rarity":"AR","weight":102860},{"rarity":"RR","weight":66670},{"rarity":"R","weight":200000},{"rarity":"U","weight":599980}]},{"place":"6","rarities":[{"rarity":"SSR","weight":318200},{"rarity":"S","weight":681800}]}]}]}
\.
copy "feedback_reports" ("id", "report", "reply_may_be_public", "received_at", "reply", "replied_at") from stdin;
\.
copy "games" ("token", "content_hash", "set_count", "card_count", "declared_card_count", "first_seen_at", "updated_at") from stdin;
lan	1c2bab30ddcf07881d1442a54da148fa1b3a6a1261b9689c1fc6e13cce01fabc	2	4	2	2026-11-27 21:41:32.34098+00	2026-11-27 21:41:39.276902+00
\.
copy "hunt_cases" ("id", "candidate_id", "candidate", "opened_at", "expires_at", "resolution", "reason", "reviewed_at") from stdin;
\.
copy "invitations" ("digest", "expires_at") from stdin;
\.
copy "name_starts" ("game", "is_inner", "start", "name_id") from stdin;
lan	f	first lantern	1
lan	t	lantern	1
lan	f	odd	2
lan	f	tide	3
lan	f	最初の灯	4
lan	t	初の灯	4
lan	t	の灯	4
\.
copy "name_words" ("word", "marks") from stdin;
first	{1216469057,901290549,2089301142,-1414692073,-1649725834,-1599392977}
lantern	{-1469294289,-1131392099,238952524,963802181,-39396309,-551393732,-1058120801,-722568421}
tide	{1632496465,1926213471,-1811680672,-938803199,-955580818}
最初の灯	{-1904007531,-303823033,1719165796,2094547435,2071167064}
\.
copy "observations" ("source", "native_id", "sku", "digest", "row", "from_run", "statement_id") from stdin;
lantern	en:AB1-001_p1	lan-ab1-001-en-p1	8f7e71688be45edc3d48f695692ade8d0546416dbad096e7d78323b2425eba96	{"game":"lan","set_code":"AB1","card_number":"AB1-001","lang":"en","variant":"p1","name":"First Lantern","name_translations":{"en":"First Lantern"},"rarity":null,"illustrators":null,"attributes":{"block":"none","category":"spell","cost":3}}	1	1
lantern	en:AB1-002	lan-ab1-002-en	44c4f9ff9b110c1bd73d5d3cfdb58d3603c9c6279a6beb4788cba27cc0d1b9a3	{"game":"lan","set_code":"AB1","card_number":"AB1-002","lang":"en","variant":"","name":"Tide","name_translations":{"en":"Tide"},"rarity":null,"illustrators":null,"attributes":{"block":"none","category":"site","cost":0}}	1	1
lantern	en:P-1/2	lan-p-1~2f2-en	546e912006e59fe62c22f4519daac65213773649950b4bcc4f9744dd52ce41ae	{"game":"lan","set_code":"P","card_number":"P-1/2","lang":"en","variant":"","name":"Odd ★","name_translations":{"en":"Odd ★"},"rarity":null,"illustrators":null,"attributes":{"block":"none"}}	1	2
lantern	ja:AB1-001	lan-ab1-001-ja	ac23df0ef8746070ef12c4608bf4a52bf159806e00aa7f0131e0aad888a3ea7d	{"game":"lan","set_code":"AB1","card_number":"AB1-001","lang":"ja","variant":"","name":"最初の灯","name_translations":{"ja":"最初の灯"},"rarity":null,"illustrators":null,"attributes":{"block":"none","category":"spell","cost":3}}	1	1
\.
copy "outside_readings" ("name", "read_at", "value") from stdin;
\.
copy "people" ("id", "username", "roles", "created_at", "suspended_at") from stdin;
41983409-332f-437f-a6b6-f4efcf317037	marigold	{}	2026-11-27 21:41:00.083635+00	\N
e68b8771-1047-40e0-8142-5c3f4f601c9c	thistle	{}	2026-11-27 21:41:00.095383+00	\N
4f0d3327-2ce6-47f9-9f2a-69171fea74fb	juniper	{admin}	2026-11-27 21:41:00.099262+00	\N
87e171fe-ddf9-42d3-ae93-5bf3c88f9e82	nettle	{}	2026-11-27 21:41:00.103249+00	2026-11-27 21:41:00.115419+00
\.
copy "proof_epochs" ("epoch", "reason", "declared_at", "after", "lost") from stdin;
1	The first one.	2026-11-27 21:40:59.569+00	\N	\N
\.
copy "proof_keys" ("key_id", "x", "first_used_at") from stdin;
HUNpk_q3M3t30jffcHdNirWKBuhAJekZjpttv09X9IQ	J_Cz_NHxXIMEOcBbWQfEGUf9Zrajw0wGvzhF7S7O90Q	2026-11-27 21:41:00.6+00
\.
copy "runs" ("id", "source", "status", "started_at", "finished_at", "snapshot", "rows_read", "rows_written", "rows_unchanged", "rows_quarantined", "conditions_met", "duration_ms", "document_form", "precedence") from stdin;
1	lantern	succeeded	2026-11-27 21:41:32.35498+00	2026-11-27 21:41:32.507825+00	b037e09b93dd2031b01477757644ed0406b3cd6301eff2e23d35be026a156683	5	5	0	0	\N	188	0fa7b822d970c2973108c77d7e546195bce4cb135e97007d1a3f29e6ed3f4801	1
2	lantern	succeeded	2026-11-27 21:41:39.088173+00	2026-11-27 21:41:39.243554+00	b037e09b93dd2031b01477757644ed0406b3cd6301eff2e23d35be026a156683	5	0	5	0	\N	243	0fa7b822d970c2973108c77d7e546195bce4cb135e97007d1a3f29e6ed3f4801	1
3	lantern	succeeded	2026-11-27 21:41:39.283046+00	2026-11-27 21:41:39.363642+00	23ee467684ebd80ef44e9c0be5a19ed322513236afb119ce097c4b17482fb55b	4	0	4	0	\N	97	0fa7b822d970c2973108c77d7e546195bce4cb135e97007d1a3f29e6ed3f4801	1
\.
copy "secrets" ("name", "secret") from stdin;
\.
copy "set_statements" ("id", "digest", "statement") from stdin;
1	e554ba55df4345826b1e86cad1836c8f708dab9b21bb8d98c956da46511cf2b1	{"name": "Alpha Beacon", "released_on": "2024-02-29", "released_note": null, "declared_total": 2, "name_translations": {"en": "Alpha Beacon", "ja": "灯台"}}
2	dab83d82bb997657067f4960fd74c18c09035990e862ba9335cded01bdbf7850	{"name": "Promos", "released_on": null, "released_note": "0000-00-00", "declared_total": null, "name_translations": {"en": "Promos"}}
\.
copy "sets" ("id", "game", "code", "code_key", "name", "name_translations", "released_on", "released_note", "declared_total", "card_count", "content_hash", "first_seen_at", "number_count") from stdin;
2	lan	P	p	Promos	{"en": "Promos"}	\N	0000-00-00	\N	1	5a8c65978ddc63e26705a421b5ef489fc27c800b9980263b1b927b7e629bbd2e	2026-11-27 21:41:32.34098+00	1
1	lan	AB1	ab1	Alpha Beacon	{"en": "Alpha Beacon", "ja": "灯台"}	2024-02-29	\N	2	3	345222d38dbf6e82ece22dadb7fbc8dd43fa01e2a5f66f598fa6e2398db3b467	2026-11-27 21:41:32.34098+00	2
\.
copy "sightings" ("source", "native_id", "sku", "from_run", "until_run") from stdin;
lantern	en:AB1-001	lan-ab1-001-en	1	3
\.
copy "sign_in_counts" ("part", "tried") from stdin;
191	1
35	1
160	1
\.
copy "withdrawals" ("sku", "source", "withdrawn_at", "reason", "successor") from stdin;
lan-ab1-001-en	lantern	2026-11-27 21:41:39.283046+00	gone	\N
\.
copy "access_keys" ("id", "digest", "kind", "origin", "person", "name", "contact", "tier", "scopes", "created_at", "expires_at", "last_used_on", "revoked_at") from stdin;
bcfa1db1-7947-47fd-854c-5809eb308275	64422fceb8e2d23c81a573e0e0edc2a28a544dc12ac16571059b7e97f29acf17	agent	operator-managed	41983409-332f-437f-a6b6-f4efcf317037	A reader	try@example.org	standard	{read}	2026-11-27 21:41:00.267565+00	\N	\N	\N
64c2656a-6654-4f69-806b-4f7de498226a	b67e95534866a9f71c30fa44f8425fd5dc771106b47f2b1eaa8b5b352508308b	agent	operator-managed	41983409-332f-437f-a6b6-f4efcf317037	Scout	try@example.org	standard	{read,hunt}	2026-11-27 21:41:00.27946+00	\N	\N	\N
1b42dfa2-59a0-4f14-a73a-9dcdd77825b7	bee563373b5a806adf968b04cc93351d122c07079ed608ccc47e15e41a777e50	agent	operator-managed	e68b8771-1047-40e0-8142-5c3f4f601c9c	Checker	try@example.org	standard	{read,hunt}	2026-11-27 21:41:00.282371+00	\N	\N	\N
e9066fd0-4d62-48df-8498-19a3e0730f15	63fbdc53442ba8621c93293b8e2a2906f352470f3563cae0c28876b616aebb9c	agent	operator-managed	4f0d3327-2ce6-47f9-9f2a-69171fea74fb	Mirror	try@example.org	standard	{read,hunt}	2026-11-27 21:41:00.291393+00	\N	\N	\N
5c6b6b91-8499-41bb-b29f-1ef3a485a3a7	37711987a16e0975ddfa3a81f4669eed09b8086a6448b380284d6c49ae399987	wholesale	operator-managed	\N	A wholesale partner	try@example.org	standard	{read}	2026-11-27 21:41:00.294633+00	\N	\N	\N
\.
copy "auctions" ("id", "seller", "sku", "title", "description", "condition", "auction_type", "status", "is_consignment", "approval", "approval_notes", "license", "currency", "starting_price", "reserve_price", "bid_increment", "buy_now_price", "dutch_end_price", "dutch_price_drop", "current_price", "winning_price", "dutch_drop_interval_seconds", "allow_best_offer", "starts_at", "ends_at", "extensions", "bid_count", "leading_bid", "winning_bid", "winner", "submitted_at", "actual_end_at", "paid_at", "shipped_at", "received_at", "removed_at", "carrier", "tracking_number", "cancel_reason", "cancelled_by", "dispute", "dispute_by", "dispute_statement", "dispute_at", "dispute_reason", "created_at", "updated_at") from stdin;
9d334f8c-a6c0-4999-959d-62bf4268c32e	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	Paid		NM	buy_now	paid	f	not_needed	\N	NOASSERTION	GBP	1000	\N	\N	1000	\N	\N	1000	1000	\N	f	2026-11-27 21:41:00.31+00	2026-11-30 21:41:00.303+00	0	1	1	1	41983409-332f-437f-a6b6-f4efcf317037	2026-11-27 21:41:00.31+00	2026-11-27 21:41:00.338+00	2026-11-27 21:41:00.372+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-11-27 21:41:00.301072+00	2026-11-27 21:41:00.372+00
1f8f3321-2a2c-4687-acc9-a4231add7e15	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	Cancelled		NM	english	cancelled	f	not_needed	\N	NOASSERTION	GBP	1000	\N	100	\N	\N	\N	\N	\N	\N	f	2026-11-27 21:41:00.352+00	2026-11-30 21:41:00.347+00	0	0	\N	\N	\N	2026-11-27 21:41:00.352+00	\N	\N	\N	\N	\N	\N	\N	It was damaged.	seller	\N	\N	\N	\N	\N	2026-11-27 21:41:00.347336+00	2026-11-27 21:41:00.389+00
77255acb-6d0b-40a3-be75-afe9f1b43f7d	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	Live, English		NM	english	live	f	not_needed	\N	NOASSERTION	GBP	1000	3000	100	9000	\N	\N	1200	\N	\N	t	2026-11-27 21:41:00.366+00	2026-11-30 21:41:00.359+00	0	1	2	\N	\N	2026-11-27 21:41:00.366+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-11-27 21:41:00.359416+00	2026-11-27 21:41:00.415+00
67b6c0a0-5a22-4e61-8a68-701a4df2e961	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	Draft		NM	english	draft	f	not_needed	\N	NOASSERTION	GBP	1000	\N	100	\N	\N	\N	\N	\N	\N	f	\N	2026-11-30 21:41:00.419+00	0	0	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-11-27 21:41:00.41976+00	2026-11-27 21:41:00.41976+00
d7939450-2271-49ac-a83e-6b2628b7bc0e	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	Scheduled		NM	english	scheduled	f	not_needed	\N	NOASSERTION	GBP	1000	\N	100	\N	\N	\N	\N	\N	\N	f	2026-11-28 21:41:00.421+00	2026-11-30 21:41:00.421+00	0	0	\N	\N	\N	2026-11-27 21:41:00.433+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-11-27 21:41:00.421671+00	2026-11-27 21:41:00.433+00
42229350-d5ce-4a52-89a7-351aa1326cf1	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	Ended		NM	buy_now	ended	f	not_needed	\N	NOASSERTION	GBP	1000	\N	\N	1000	\N	\N	1000	1000	\N	f	2026-11-27 21:41:00.468+00	2026-11-30 21:41:00.463+00	0	1	3	3	41983409-332f-437f-a6b6-f4efcf317037	2026-11-27 21:41:00.468+00	2026-11-27 21:41:00.483+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-11-27 21:41:00.463315+00	2026-11-27 21:41:00.483+00
4b378668-27cb-4f91-8410-b814acb6b00d	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	Live, Dutch		NM	dutch	live	f	not_needed	\N	NOASSERTION	GBP	5000	\N	\N	\N	1000	100	\N	\N	600	f	2026-11-27 21:41:00.444+00	2026-11-30 21:41:00.439+00	0	0	\N	\N	\N	2026-11-27 21:41:00.444+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-11-27 21:41:00.439375+00	2026-11-27 21:41:00.444+00
f26a7fc8-35d4-4d06-8441-c2eb05b5378f	e68b8771-1047-40e0-8142-5c3f4f601c9c	op-op01-001-en	To buy now		NM	buy_now	live	f	not_needed	\N	NOASSERTION	GBP	1500	\N	\N	1500	\N	\N	\N	\N	\N	f	2026-11-27 21:41:00.456+00	2026-11-30 21:41:00.451+00	0	0	\N	\N	\N	2026-11-27 21:41:00.456+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2026-11-27 21:41:00.451418+00	2026-11-27 21:41:00.456+00
\.
copy "fraud_signals" ("id", "person", "severity", "reason", "set_at", "resolved_at") from stdin;
\.
copy "idempotency_keys" ("person", "route", "key", "digest", "status", "body", "created_at") from stdin;
\.
copy "list_cards" ("person", "list", "sku", "quantity") from stdin;
41983409-332f-437f-a6b6-f4efcf317037	have	op-op01-001-en	1
41983409-332f-437f-a6b6-f4efcf317037	have	op-op01-002-en	1
41983409-332f-437f-a6b6-f4efcf317037	want	op-op01-003-en	1
e68b8771-1047-40e0-8142-5c3f4f601c9c	have	op-op01-003-en	1
e68b8771-1047-40e0-8142-5c3f4f601c9c	have	op-op01-002-en	1
e68b8771-1047-40e0-8142-5c3f4f601c9c	want	op-op01-001-en	1
\.
copy "mail_addresses" ("person", "address", "confirmed_at") from stdin;
\.
copy "mailed_codes" ("request", "person", "address", "purpose", "digest", "attempts_left", "asked_at") from stdin;
\.
copy "organisations" ("person", "slug", "display_name", "kind", "region", "languages", "games", "description", "website_url", "public_contact_url", "accessibility_notes", "created_at", "updated_at", "approved_at") from stdin;
41983409-332f-437f-a6b6-f4efcf317037	night-owls	Night Owls	club	NL	{nl,en}	{op}	A club that was made up for trying out.	\N	\N	\N	2026-11-27 21:41:00.183489+00	2026-11-27 21:41:00.183489+00	2026-11-27 21:41:00.195578+00
\.
copy "passkey_challenges" ("digest", "person", "expires_at") from stdin;
\.
copy "passkeys" ("id", "person", "credential", "public_key", "counter", "name", "created_at", "last_used_on") from stdin;
\.
copy "profiles" ("person", "languages", "region", "cadence") from stdin;
41983409-332f-437f-a6b6-f4efcf317037	{en,nl}	NL	weekly
e68b8771-1047-40e0-8142-5c3f4f601c9c	{en,nl}	NL	weekly
\.
copy "proof_batches" ("batch", "epoch", "tree_size", "root", "previous", "signed_at", "key_id", "signature", "chain_hash", "leaf_count", "window_from", "window_to") from stdin;
1	1	3	33b14f89a29c4139ee501a27a712f3bfcbcbc47407c5845bc08699b78647c661	e12b08e289ab617599fb789da00a7c9939577c41c9252d27f46594fe092ebb6a	2026-11-27 21:41:00.611+00	HUNpk_q3M3t30jffcHdNirWKBuhAJekZjpttv09X9IQ	S2_Gd8pZMDWCEO3JZYlhJHbiVw6__mzX5YXtI5HMKasRXJQiDkM3eXlAQZBilN9iuNvkVkhHEnGOLY60fOhYDQ	90f130f04560f299d505ca032838ab481a022630e4de683f15053db6de30c43c	3	2026-11-27 21:41:00.544+00	2026-11-27 21:41:00.577+00
\.
copy "proof_nodes" ("epoch", "level", "index", "hash") from stdin;
1	0	0	9f95a197711e112c6dd4410a889da55f8accc96dc638af79587567811c0fd860
1	0	1	9519982e77d6e8747df4a4753d81aa9735edbfab3f98167e0c5e8d66830c03a3
1	1	0	e802ed1d5b5a1b3ea201d41ada266bca1f6a92b984c932d7ec4b9800c0341f9e
1	0	2	6733d2963729dc5fbe0f182a43c681aa94ee80bc03ff4e348df1da28b727836d
\.
copy "publication_receipts" ("id", "person", "scope", "notice_version", "given_at", "withdrawn_at") from stdin;
7bcea3d4-5bc2-4887-9b09-19d260b0b657	41983409-332f-437f-a6b6-f4efcf317037	profile	2026-11-24	2026-11-27 21:41:00.107369+00	\N
ba3ed8a9-9042-43c7-820c-25d76ddd4417	41983409-332f-437f-a6b6-f4efcf317037	have-list	2026-11-24	2026-11-27 21:41:00.143238+00	\N
f6221d00-cff4-449b-b7b6-fbd5e83ff077	41983409-332f-437f-a6b6-f4efcf317037	want-list	2026-11-24	2026-11-27 21:41:00.151229+00	\N
983c1f09-150c-4317-a0c7-5df38b58940e	41983409-332f-437f-a6b6-f4efcf317037	language	2026-11-24	2026-11-27 21:41:00.153684+00	\N
16396372-e144-436d-80bb-92421c2201cf	41983409-332f-437f-a6b6-f4efcf317037	region	2026-11-24	2026-11-27 21:41:00.163377+00	\N
e345af0e-f73e-4e7e-a92d-76611ccf57fb	41983409-332f-437f-a6b6-f4efcf317037	organisation	2026-11-24	2026-11-27 21:41:00.17532+00	\N
\.
copy "quarantine" ("id", "run", "source", "native_id", "other_native_id", "sku", "reason") from stdin;
\.
copy "sessions" ("id", "digest", "form_token", "person", "signed_in_at", "last_used_on", "expires_at") from stdin;
9d3bbfb7-3e05-43a7-846d-a07a8f807beb	40c2e42c51dc89172bbdb037fd177c9c0570aaf3e2a0ba2004059575e8da8ebe	p8YGhl57uHom4ozEYtpxGR-waRvE8HNaJaf6dAb-x9A	41983409-332f-437f-a6b6-f4efcf317037	2026-11-27 21:41:00.223408+00	2026-11-27	2027-02-25 21:41:00.223408+00
e2e34993-7d54-4fcc-9981-84ecc9a4e142	bd792d5b0c4b03777ed2a3a5ab3def69773604b4727c8fa68c39a4f5b148938d	mxjFeC_2mTK15qCnzjgNNOvyQf4fnRIUjaXyDS1Z64o	4f0d3327-2ce6-47f9-9f2a-69171fea74fb	2026-11-27 21:41:00.251175+00	2026-11-27	2027-02-25 21:41:00.251175+00
1854f326-e5b8-4c63-a66e-5148aa03232a	2cbe6382c8545f5b2e908d1c180faf91e13642b1e2f4b1a2610d36a0751ca40a	R3e-o--gsZUe3U2K5M1yct1N5Xyyi4jy1cdk_Al9MxM	e68b8771-1047-40e0-8142-5c3f4f601c9c	2026-11-27 21:41:00.263381+00	2026-11-27	2027-02-25 21:41:00.263381+00
\.
copy "set_listings" ("set_id", "items", "cards", "digest") from stdin;
2	[{"_links":{"canonical":"/api/v1/universal/card/lan-p-1~2f2-en"},"card_number":"P-1/2","edge_kind":"has_card","lang":"en","name":"Odd ★","rarity":null,"target_hash":"ea4ad2dfbcd55d7ec390526596a00967b133d5dabc195529723483c83fd3199b","target_natural_token":"lan-p-1~2f2-en","variant":null}]	1	d895f21a0c5b7ef3e1df42200b4cb506a641c0f8ceb1d649113f500ea376b861
1	[{"_links":{"canonical":"/api/v1/universal/card/lan-ab1-001-ja"},"card_number":"AB1-001","edge_kind":"has_card","lang":"ja","name":"最初の灯","rarity":null,"target_hash":"563e33b8bd7b27277ef3402f2828c3cfbd17ee347ed9b18af37f6092583b07ac","target_natural_token":"lan-ab1-001-ja","variant":null},{"_links":{"canonical":"/api/v1/universal/card/lan-ab1-001-en-p1"},"card_number":"AB1-001","edge_kind":"has_card","lang":"en","name":"First Lantern","rarity":null,"target_hash":"eaaa8d97f85be338a195ec13f354ddb290d6faecab4e8353d8942dee1ea0ec7d","target_natural_token":"lan-ab1-001-en-p1","variant":"p1"},{"_links":{"canonical":"/api/v1/universal/card/lan-ab1-002-en"},"card_number":"AB1-002","edge_kind":"has_card","lang":"en","name":"Tide","rarity":null,"target_hash":"7c9596a200b73deb3a0eb0d43440fe13e434bc4beaa19b01953ea1cffff4cb6f","target_natural_token":"lan-ab1-002-en","variant":null}]	3	0255fef1bb434eee15c1ccd4d4bb67ed04d658705a4cc38f33a32ca889b70433
\.
copy "set_numbers" ("set_id", "lowest", "highest", "unseen", "gaps") from stdin;
1	1	2	0	[]
\.
copy "sign_in_codes" ("person", "digest", "attempts_left", "expires_at") from stdin;
\.
copy "unseen_sets" ("set_id", "source", "until_run") from stdin;
\.
copy "auction_addresses" ("auction", "person", "address", "given_at") from stdin;
\.
copy "auction_bids" ("id", "auction", "bidder", "kind", "amount", "state", "at") from stdin;
1	9d334f8c-a6c0-4999-959d-62bf4268c32e	41983409-332f-437f-a6b6-f4efcf317037	buy	1000	placed	2026-11-27 21:41:00.338+00
2	77255acb-6d0b-40a3-be75-afe9f1b43f7d	41983409-332f-437f-a6b6-f4efcf317037	bid	1200	placed	2026-11-27 21:41:00.415+00
3	42229350-d5ce-4a52-89a7-351aa1326cf1	41983409-332f-437f-a6b6-f4efcf317037	buy	1000	placed	2026-11-27 21:41:00.483+00
\.
copy "auction_events" ("id", "auction", "from_state", "act", "to_state", "who", "at") from stdin;
1	9d334f8c-a6c0-4999-959d-62bf4268c32e	draft	submit	scheduled	seller	2026-11-27 21:41:00.31+00
2	9d334f8c-a6c0-4999-959d-62bf4268c32e	scheduled	begin	live	clock	2026-11-27 21:41:00.31+00
3	9d334f8c-a6c0-4999-959d-62bf4268c32e	live	buy	ended	bidder	2026-11-27 21:41:00.338+00
4	1f8f3321-2a2c-4687-acc9-a4231add7e15	draft	submit	scheduled	seller	2026-11-27 21:41:00.352+00
5	77255acb-6d0b-40a3-be75-afe9f1b43f7d	draft	submit	scheduled	seller	2026-11-27 21:41:00.366+00
6	9d334f8c-a6c0-4999-959d-62bf4268c32e	ended	paid	paid	admin	2026-11-27 21:41:00.372+00
7	1f8f3321-2a2c-4687-acc9-a4231add7e15	scheduled	begin	live	clock	2026-11-27 21:41:00.352+00
8	1f8f3321-2a2c-4687-acc9-a4231add7e15	live	cancel	cancelled	seller	2026-11-27 21:41:00.389+00
9	77255acb-6d0b-40a3-be75-afe9f1b43f7d	scheduled	begin	live	clock	2026-11-27 21:41:00.366+00
10	77255acb-6d0b-40a3-be75-afe9f1b43f7d	live	bid	live	bidder	2026-11-27 21:41:00.415+00
11	d7939450-2271-49ac-a83e-6b2628b7bc0e	draft	submit	scheduled	seller	2026-11-27 21:41:00.433+00
12	4b378668-27cb-4f91-8410-b814acb6b00d	draft	submit	scheduled	seller	2026-11-27 21:41:00.444+00
13	f26a7fc8-35d4-4d06-8441-c2eb05b5378f	draft	submit	scheduled	seller	2026-11-27 21:41:00.456+00
14	42229350-d5ce-4a52-89a7-351aa1326cf1	draft	submit	scheduled	seller	2026-11-27 21:41:00.468+00
15	42229350-d5ce-4a52-89a7-351aa1326cf1	scheduled	begin	live	clock	2026-11-27 21:41:00.468+00
16	42229350-d5ce-4a52-89a7-351aa1326cf1	live	buy	ended	bidder	2026-11-27 21:41:00.483+00
17	4b378668-27cb-4f91-8410-b814acb6b00d	scheduled	begin	live	clock	2026-11-27 21:41:00.444+00
18	f26a7fc8-35d4-4d06-8441-c2eb05b5378f	scheduled	begin	live	clock	2026-11-27 21:41:00.456+00
\.
copy "auction_reviews" ("id", "auction", "author", "about", "by", "stars", "text", "license", "reviewer_score", "written_at", "removed_at", "removed_reason") from stdin;
\.
copy "draws" ("id", "nonce", "rates_digest", "commitment", "server_seed", "begun_at", "client_seed", "result", "opened_at", "batch", "leaf_index") from stdin;
473806fc-372e-4203-82e7-34e89a618f2e	4	8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70	baea6ee41f1b9e5b1b2db5462da3fdbe4db6c7793553f5c493c78dfada2f801e	c4e8667da52bba1a85db71d96feec76ac074efc64b214023fb6b90b2ea9c2516	2026-11-27 21:41:00.586+00	\N	\N	\N	\N	\N
ccd730b7-1ebf-4ea8-9bec-afd05bf70fd6	1	8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70	d1864305b72c6ecbf8e37ae334b82468a51d2f8c1f9ea53587417b9294dcfae8	dc8160cf5c0f4c89f0e1e1a33160c8d1ff7eddd5ac3a0664157d3b1b1444ab82	2026-11-27 21:41:00.536+00	f67b5a1ce6cc72e61391d32c17df28a188ba8ce6d4e46c204d58fcad9aa11f8e	{"pack": "Regular Pack", "rarities": ["C", "C", "C", "U", "AR"]}	2026-11-27 21:41:00.544+00	1	0
8de3a5c6-7975-4062-b17c-e8e62bbe45fa	2	8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70	d2e9a15520b9754aa74c65e2e6e94a24a4c53af43fe25d93b44cac5c7e541eb1	38227af63aec90ea73e3b83248fc9ffd0b59cd319daf5f75f58ec22d763c8d61	2026-11-27 21:41:00.561+00	6026c6c13258f021fe91cd2d72397e99967d2e3b89e2edab06133a0472db6f22	{"pack": "Regular Pack", "rarities": ["C", "C", "C", "U", "AR"]}	2026-11-27 21:41:00.567+00	1	1
7c0e9050-72f2-4575-b7af-9c3be1c3f524	3	8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70	f2a1d686ca0882842f4e0d028695e64206bf0f4f1db0c74af10c164b06d61a80	ef16ded0e0f96b15ac5797e3432d89e7bac2a4ff1009a667f2bb7b710f90a1c9	2026-11-27 21:41:00.575+00	ba4e45d1360dc903f7fdc0fc6ce3583554652e0dc079d69742343ce7367593b5	{"pack": "Regular Pack", "rarities": ["C", "C", "C", "U", "R"]}	2026-11-27 21:41:00.577+00	1	2
\.
copy "hunt_turns" ("case_id", "role", "agent", "client_request_id", "digest", "submission", "submitted_at") from stdin;
\.
copy "content_reports" ("id", "reporter", "kind", "auction", "review", "organisation", "ground", "text", "reported_at", "decision", "reason", "decided_at") from stdin;
\.
select setval('"account_acts_id_seq"', 23, true);
select setval('"auction_bids_id_seq"', 3, true);
select setval('"auction_events_id_seq"', 18, true);
select setval('"card_changes_id_seq"', 1, true);
select setval('"card_names_id_seq"', 4, true);
select setval('"draws_nonce_seq"', 1, false);
select setval('"quarantine_id_seq"', 1, false);
select setval('"runs_id_seq"', 3, true);
select setval('"set_statements_id_seq"', 2, true);
select setval('"sets_id_seq"', 2, true);
-- end {"tables":55,"rows":134}
