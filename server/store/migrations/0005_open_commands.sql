CREATE TABLE `open_commands` (
	`project_id` text NOT NULL,
	`session_id` text NOT NULL,
	`call_id` text NOT NULL,
	PRIMARY KEY(`project_id`, `session_id`, `call_id`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `open_commands` (`project_id`, `session_id`, `call_id`)
SELECT `project_id`, substr(`path`, 2, instr(substr(`path`, 2), '/') - 1), substr(`path`, instr(substr(`path`, 2), '/') + 2)
FROM `file_images` WHERE `path` LIKE '/%/%';--> statement-breakpoint
DELETE FROM `file_images` WHERE `path` LIKE '/%';
