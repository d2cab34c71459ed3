ALTER TABLE `sign_ins` ADD `cookie_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `sign_ins_cookie_hash_unique` ON `sign_ins` (`cookie_hash`);