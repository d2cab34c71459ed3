/** Texts of the model test: the sections of doctor.md. */
import { promptSection } from "./prompts";

/** Returns the section with its values; see promptSection. */
export const doctorText = (
  name:
    | "answer"
    | "tools"
    | "edit"
    | "nested"
    | "nested-tool"
    | "fact"
    | "filler"
    | "question"
    | "stock"
    | "warehouse"
    | "shelf"
    | "another-shelf"
    | "short-answer",
  values?: Readonly<Record<string, string>>,
): string => promptSection("doctor.md", name, values);
