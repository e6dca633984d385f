-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: lights
-- ------------------------------------------------------
-- Server version	8.0.36

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;
SET @@SESSION.SQL_LOG_BIN= 0;
SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5';

CREATE DATABASE /*!32312 IF NOT EXISTS*/ `lights` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */ /*!80016 DEFAULT ENCRYPTION='N' */;

USE `lights`;

DROP TABLE IF EXISTS `keeper`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `keeper` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(80) CHARACTER SET latin1 COLLATE latin1_swedish_ci NOT NULL,
  `role` enum('keeper','it''s','a,b') NOT NULL DEFAULT 'keeper',
  `email` varchar(120) DEFAULT NULL COMMENT 'where the log is sent; it''s read',
  `since` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  `year` int GENERATED ALWAYS AS (year(`since`)) VIRTUAL,
  `place` point /*!80003 SRID 4326 */ DEFAULT NULL,
  `notes` json DEFAULT (json_object()),
  PRIMARY KEY (`id`),
  UNIQUE KEY `keeper_email` (`email`),
  KEY `keeper_name` (`name`(20),`since` DESC) USING BTREE,
  KEY `keeper_upper` ((upper(`name`))) /*!80000 INVISIBLE */,
  FULLTEXT KEY `keeper_words` (`name`),
  CONSTRAINT `named` CHECK ((`name` <> _utf8mb4'')),
  CONSTRAINT `keeper_boss` FOREIGN KEY (`id`) REFERENCES `lights`.`keeper` (`id`) ON DELETE RESTRICT
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='who tends a light'
/*!50100 PARTITION BY HASH (id)
PARTITIONS 4 */;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `keeper` WRITE;
/*!40000 ALTER TABLE `keeper` DISABLE KEYS */;
INSERT INTO `keeper` VALUES (1,'Ann; \'the\' light','keeper',NULL,'2026-01-01 00:00:00',NULL,NULL,'{}'),(2,'Ben\n','a,b',NULL,'2026-01-01 00:00:00',NULL,NULL,NULL);
/*!40000 ALTER TABLE `keeper` ENABLE KEYS */;
UNLOCK TABLES;
/*!50003 SET sql_mode              = 'NO_AUTO_VALUE_ON_ZERO' */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `lit` BEFORE INSERT ON `keeper` FOR EACH ROW BEGIN
  SET NEW.name = trim(NEW.name);
  CREATE TABLE nothing (a int);
END */;;
DELIMITER ;
/*!50001 CREATE VIEW `tended` AS SELECT 
 1 AS `name`*/;
/*!50001 DROP VIEW IF EXISTS `tended`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `tended` AS select `keeper`.`name` AS `name` from `keeper` */;
SET @@SESSION.SQL_LOG_BIN = @MYSQLDUMP_TEMP_LOG_BIN;
-- Dump completed on 2026-11-02  9:14:03
