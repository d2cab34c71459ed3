CREATE TABLE `tool_sources` (
	`kind` text NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`launch` text NOT NULL,
	`instructions` text NOT NULL,
	`tools` text NOT NULL,
	PRIMARY KEY(`kind`, `project_id`, `name`)
);
