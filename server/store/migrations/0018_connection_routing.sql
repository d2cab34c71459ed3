ALTER TABLE `connections` ADD `session_header` text;--> statement-breakpoint
ALTER TABLE `connections` ADD `at_once` integer;