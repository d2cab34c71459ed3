CREATE TABLE `channel_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`person_id` text NOT NULL,
	`text` text NOT NULL,
	`state` text NOT NULL,
	`message_id` text,
	`replaces` integer,
	`card` text,
	`nonce` text,
	`file` text
);
--> statement-breakpoint
CREATE TABLE `channel_people` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`right` text NOT NULL,
	`is_paused` integer NOT NULL,
	`paired_at` integer NOT NULL,
	`chat_id` text NOT NULL,
	`project_id` text,
	`session_id` text,
	`seen_seq` integer NOT NULL,
	`mode` text NOT NULL,
	PRIMARY KEY(`kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `channel_updates` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`update_id` text NOT NULL,
	`person_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`state` text NOT NULL,
	`body` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channel_updates_id` ON `channel_updates` (`kind`,`update_id`);--> statement-breakpoint
CREATE TABLE `channels` (
	`kind` text PRIMARY KEY NOT NULL,
	`is_on` integer NOT NULL,
	`api_address` text NOT NULL,
	`project_id` text
);
