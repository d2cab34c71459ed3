CREATE TABLE `eval_results` (
	`model_key` text NOT NULL,
	`task` text NOT NULL,
	`result` text NOT NULL,
	`transcript` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`model_key`, `task`)
);
