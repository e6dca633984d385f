-- Everything that a MariaDB database may hold and a design carries.
CREATE SEQUENCE `seq` START WITH 10 INCREMENT BY 5 MINVALUE 1 MAXVALUE 1000 CACHE 20 CYCLE;
CREATE SEQUENCE `seq_plain`;

CREATE TABLE `parent` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'it''s "the" key\\n; of all',
  `code` char(3) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(120) NOT NULL DEFAULT 'it''s; "x" \\ y' COMMENT 'name; of',
  `plain` varchar(10), `empty` varchar(10) DEFAULT '', `null_text` varchar(10) NOT NULL DEFAULT 'NULL',
  `filled` int unsigned zerofill NOT NULL DEFAULT 7, `wide` int(5), `narrow` smallint(3) unsigned zerofill,
  `flag` tinyint(1) NOT NULL DEFAULT true, `tiny` tinyint, `utiny` tinyint(1) unsigned, `big` bigint unsigned,
  `amount` decimal(10,2) unsigned DEFAULT 1.5, `whole` decimal, `single` float, `fixed_single` float(7,2), `twice` double unsigned, `fixed_twice` double(12,3),
  `made` datetime NOT NULL DEFAULT current_timestamp ON UPDATE current_timestamp,
  `made_ms` datetime(3) DEFAULT current_timestamp(3) ON UPDATE current_timestamp(3),
  `seen` timestamp NULL, `began` timestamp NOT NULL DEFAULT '2020-01-01 00:00:00', `clock` time(2), `born` year, `day` date DEFAULT '2020-02-03',
  `kind` enum('a','b''c','d,e','x\\y','(') NOT NULL DEFAULT 'a', `marks` set('x','y') DEFAULT 'x,y',
  `bits` bit(5) DEFAULT b'101', `one_bit` bit,
  `doc` json, `doc_needed` json NOT NULL DEFAULT '{}', `checked_text` longtext CHECK (json_valid(`checked_text`)),
  `bytes` blob, `essay` longtext COLLATE utf8mb4_unicode_ci, `short_text` tinytext DEFAULT 'abc', `sixteen` binary(16), `some` varbinary(20) DEFAULT 'ab',
  `wide_next` int AS (`wide` + 1) VIRTUAL, `joined` varchar(30) GENERATED ALWAYS AS (concat(`plain`,'; it''s')) STORED COMMENT 'made; up',
  `doubled` int AS (`wide` * 2) PERSISTENT UNIQUE,
  `made_text` varchar(40) DEFAULT (concat('a', 'b')), `made_number` int DEFAULT (1 + 2 * 3), `made_id` char(36) DEFAULT uuid(), `from_other` int DEFAULT (`wide` + 1),
  `numbered` int DEFAULT nextval(`seq`),
  `shape` geometry, `spot` point NOT NULL, `uid` uuid, `net6` inet6, `net4` inet4,
  `hidden` int INVISIBLE DEFAULT 3, `positive` int CHECK (`positive` > 0 AND `positive` < `wide`), `packed` text COMPRESSED,
  PRIMARY KEY (`id`), UNIQUE KEY `uq_code` (`code`), UNIQUE KEY `uq_prefix` (`name`(20), `wide` DESC),
  KEY `k_desc` (`wide` DESC, `tiny`), FULLTEXT KEY `ft_essay` (`essay`), SPATIAL KEY `sp_spot` (`spot`),
  UNIQUE KEY `uq_bytes` (`bytes`), KEY `k_comment` (`amount`) COMMENT 'index; comment', KEY `k_ignored` (`single`) IGNORED,
  CONSTRAINT `ck_wide` CHECK (`wide` > 0 AND `plain` <> 'it''s'), CHECK (`filled` < 100)
) ENGINE=InnoDB COMMENT='the parent''s; table' ROW_FORMAT=DYNAMIC AUTO_INCREMENT=100;

CREATE TABLE `child` (
  `a` int, `b` int, `parent_id` int, `parent_code` char(3) CHARACTER SET ascii COLLATE ascii_bin, `self` int, `Text` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  PRIMARY KEY (`b`, `a`), UNIQUE KEY (`self`),
  CONSTRAINT `fk_parent` FOREIGN KEY (`parent_id`) REFERENCES `parent` (`id`) ON DELETE CASCADE ON UPDATE SET NULL,
  FOREIGN KEY (`parent_code`) REFERENCES `parent` (`code`),
  CONSTRAINT `fk_self` FOREIGN KEY (`a`) REFERENCES `child` (`self`) ON DELETE NO ACTION ON UPDATE RESTRICT
) STATS_PERSISTENT=1 ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8 DEFAULT CHARSET=latin1;
CREATE TABLE `pair` (`x` int, `y` int, FOREIGN KEY (`x`, `y`) REFERENCES `child` (`b`, `a`));

-- a cycle of references
CREATE TABLE `hen` (`id` int PRIMARY KEY, `egg_id` int);
CREATE TABLE `egg` (`id` int PRIMARY KEY, `hen_id` int, CONSTRAINT `fk_hen` FOREIGN KEY (`hen_id`) REFERENCES `hen` (`id`));
ALTER TABLE `hen` ADD CONSTRAINT `fk_egg` FOREIGN KEY (`egg_id`) REFERENCES `egg` (`id`) ON DELETE SET NULL;

CREATE TABLE `in_memory` (`id` int PRIMARY KEY, `b` int, KEY `hashed` (`b`), KEY `treed` USING BTREE (`b`)) ENGINE=MEMORY;
CREATE TABLE `older` (`id` int PRIMARY KEY, `b` varchar(10), FULLTEXT (`b`), KEY `plain_b` (`b`)) ENGINE=MyISAM CHECKSUM=1 DELAY_KEY_WRITE=1 MAX_ROWS=1000 COLLATE=utf8mb4_unicode_ci;
CREATE TABLE `safer` (`id` int PRIMARY KEY, `b` varchar(10)) ENGINE=Aria TRANSACTIONAL=1 PAGE_CHECKSUM=0;
CREATE TABLE `prefixed` (`t` text NOT NULL, `n` int NOT NULL, PRIMARY KEY (`t`(10), `n` DESC) COMMENT 'key; comment');
CREATE TABLE `keyless` (`n` int);

CREATE TABLE `by_range` (`id` int, `d` date, PRIMARY KEY (`id`, `d`)) PARTITION BY RANGE (year(`d`)) SUBPARTITION BY HASH (`id`) SUBPARTITIONS 2
  (PARTITION p0 VALUES LESS THAN (2000) COMMENT 'before', PARTITION p1 VALUES LESS THAN MAXVALUE);
CREATE TABLE `by_key` (`id` int PRIMARY KEY) PARTITION BY KEY (`id`) PARTITIONS 3;
CREATE TABLE `by_list` (`id` int, `r` varchar(10)) PARTITION BY LIST COLUMNS (`r`) (PARTITION a VALUES IN ('x','y'), PARTITION b DEFAULT);
CREATE TABLE `versioned` (`id` int PRIMARY KEY, `x` int) WITH SYSTEM VERSIONING;
CREATE TABLE `versioned_by` (`id` int PRIMARY KEY, `x` int WITHOUT SYSTEM VERSIONING, `since` timestamp(6) GENERATED ALWAYS AS ROW START,
  `until` timestamp(6) GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (`since`, `until`)) WITH SYSTEM VERSIONING;

CREATE VIEW `z_first` AS SELECT `parent`.`id`, `child`.`a` AS `x y` FROM `parent` JOIN `child` ON `parent`.`id` = `child`.`parent_id` WHERE `parent`.`name` <> 'it''s;';
CREATE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW `a_second` (`p`) AS SELECT `id` FROM `z_first` WHERE `id` > 3 WITH LOCAL CHECK OPTION;

DELIMITER //
CREATE FUNCTION `joined`(`a` int, `b` varchar(10) CHARACTER SET latin1) RETURNS varchar(20) CHARSET utf8mb4 DETERMINISTIC READS SQL DATA SQL SECURITY INVOKER COMMENT 'it''s'
BEGIN DECLARE x int; SET x = a; RETURN concat(x, b); END//
CREATE PROCEDURE `joined`(IN `a` int, OUT `b` decimal(10,2), INOUT `c` enum('a','b')) BEGIN SELECT 1; SET b = 1; END//
CREATE FUNCTION `one`() RETURNS int RETURN 1//
CREATE TRIGGER `m_first` BEFORE INSERT ON `parent` FOR EACH ROW BEGIN SET new.wide = 5; SET new.plain = 'a;b'; END//
CREATE TRIGGER `z_third` BEFORE INSERT ON `parent` FOR EACH ROW SET new.tiny = 6//
CREATE TRIGGER `a_second` BEFORE INSERT ON `parent` FOR EACH ROW FOLLOWS `m_first` SET new.tiny = 7//
CREATE TRIGGER `after_child` AFTER DELETE ON `child` FOR EACH ROW DELETE FROM `pair` WHERE `x` = old.b//
CREATE EVENT `daily` ON SCHEDULE EVERY 1 DAY STARTS '2035-01-01 00:00:00' ON COMPLETION PRESERVE DISABLE COMMENT 'c' DO BEGIN DELETE FROM `pair`; DELETE FROM `keyless`; END//
CREATE EVENT `once` ON SCHEDULE AT '2036-01-01 00:00:00' DO DELETE FROM `pair`//
CREATE EVENT `mixed` ON SCHEDULE EVERY '1:30' HOUR_MINUTE STARTS '2035-01-01 00:00:00' ENDS '2036-01-01 00:00:00' DISABLE DO DELETE FROM `pair`//
DELIMITER ;
SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT';
CREATE PROCEDURE `ansi`() SELECT "id" || 'b' FROM "parent";
