CREATE TABLE `decisions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`project_id` text NOT NULL,
	`session_id` text NOT NULL,
	`tool` text NOT NULL,
	`target` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`mode` text NOT NULL,
	`rule` text,
	`detail` text
);
--> statement-breakpoint
CREATE INDEX `decisions_of_project` ON `decisions` (`project_id`,`id`);--> statement-breakpoint
CREATE TABLE `file_images` (
	`project_id` text NOT NULL,
	`path` text NOT NULL,
	`blob` text,
	`size` integer NOT NULL,
	`mode` integer NOT NULL,
	`modified_ns` text NOT NULL,
	`changed_ns` text NOT NULL,
	`inode` text NOT NULL,
	PRIMARY KEY(`project_id`, `path`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `shares` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`session_id` text NOT NULL,
	`kind` text NOT NULL,
	`at_seq` integer NOT NULL,
	`outputs` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_token_hash_unique` ON `shares` (`token_hash`);--> statement-breakpoint
CREATE INDEX `shares_of_session` ON `shares` (`session_id`);--> statement-breakpoint
ALTER TABLE `projects` ADD `trusted_at` integer;--> statement-breakpoint
ALTER TABLE `rules` ADD `effect` text DEFAULT 'allow' NOT NULL;--> statement-breakpoint
ALTER TABLE `rules` ADD `access` text;--> statement-breakpoint
ALTER TABLE `rules` ADD `glob` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `pinned_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `archived_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `forked_from` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `forked_at_seq` integer;