CREATE TABLE `view_parts` (
	`session_id` text NOT NULL,
	`part` integer NOT NULL,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`session_id`, `part`),
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
