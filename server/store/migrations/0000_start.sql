CREATE TABLE `blobs` (
	`id` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`bytes` blob
);
--> statement-breakpoint
CREATE TABLE `checkpoints` (
	`session_id` text NOT NULL,
	`key` text NOT NULL,
	`at` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`session_id`, `key`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `events` (
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`v` integer NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`session_id`, `seq`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`path` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_path_unique` ON `projects` (`path`);--> statement-breakpoint
CREATE TABLE `receipts` (
	`session_id` text NOT NULL,
	`command_id` text NOT NULL,
	`result` text NOT NULL,
	PRIMARY KEY(`session_id`, `command_id`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `rules` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`tool` text NOT NULL,
	`words` text NOT NULL,
	`rest` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rules_of_project` ON `rules` (`project_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`cwd` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`mode` text NOT NULL,
	`model` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_seq` integer NOT NULL,
	`added` integer NOT NULL,
	`removed` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_newest` ON `sessions` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_of_project` ON `sessions` (`project_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_status` ON `sessions` (`status`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ins_token_hash_unique` ON `sign_ins` (`token_hash`);--> statement-breakpoint
CREATE TABLE `trash` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`project_id` text NOT NULL,
	`path` text NOT NULL,
	`kept_in` text NOT NULL,
	`folder` integer NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL,
	`at` integer NOT NULL,
	`restored_at` integer
);
--> statement-breakpoint
CREATE INDEX `trash_of_project` ON `trash` (`project_id`,`at`);