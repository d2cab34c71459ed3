ALTER TABLE `sessions` ADD `plan_done` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `plan_total` integer DEFAULT 0 NOT NULL;