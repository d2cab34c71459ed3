ALTER TABLE `connections` ADD `key_user` text;--> statement-breakpoint
ALTER TABLE `connections` ADD `key_header` text;