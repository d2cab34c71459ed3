CREATE TABLE `connections` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`preset` text NOT NULL,
	`base_url` text NOT NULL,
	`model` text NOT NULL,
	`temperature` real,
	`num_ctx` integer NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
