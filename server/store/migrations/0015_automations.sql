CREATE TABLE `automation_runs` (
	`automation_id` text NOT NULL,
	`scheduled_for` integer NOT NULL,
	`cause` text NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	`outcome` text,
	`session_id` text,
	`tokens` integer,
	`error` text,
	PRIMARY KEY(`automation_id`, `scheduled_for`),
	FOREIGN KEY (`automation_id`) REFERENCES `automations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `automations` (
	`id` text PRIMARY KEY NOT NULL,
	`definition` text NOT NULL,
	`is_on` integer NOT NULL,
	`rules` text NOT NULL,
	`rehearsal` text,
	`failures` integer NOT NULL,
	`checked_until` integer NOT NULL,
	`created_at` integer NOT NULL
);
