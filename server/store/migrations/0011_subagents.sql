ALTER TABLE `sessions` ADD `parent_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `parent_call` text;--> statement-breakpoint
CREATE INDEX `sessions_of_parent` ON `sessions` (`parent_id`);