CREATE TABLE `approved_tools` (
	`project_id` text NOT NULL,
	`source` text NOT NULL,
	`tool` text NOT NULL,
	`definition` text NOT NULL,
	`first_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `source`, `tool`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
