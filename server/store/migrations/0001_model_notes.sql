CREATE TABLE `model_notes` (
	`key` text PRIMARY KEY NOT NULL,
	`note` text NOT NULL,
	`spill` text,
	`updated_at` integer NOT NULL
);
