/** Toggle buttons inside a search field: case, whole word, regular expression. */
import { CaseSensitive, Regex, WholeWord } from "lucide-react";
import { IconButton } from "./icon-button";

const toggles = [
  { option: "caseSensitive", icon: CaseSensitive },
  { option: "wholeWord", icon: WholeWord },
  { option: "regex", icon: Regex },
] as const;

type ToggleOption = (typeof toggles)[number]["option"];

interface SearchTogglesProps {
  /** The toggles of absent options are left out. */
  readonly values: Readonly<Partial<Record<ToggleOption, boolean>>>;
  readonly names: Readonly<Record<ToggleOption, string>>;
  /** Shortcuts as displayed. */
  readonly shortcuts: Readonly<Record<ToggleOption, string>>;
  readonly onToggle: (option: ToggleOption) => void;
}

export const SearchToggles = ({ values, names, shortcuts, onToggle }: SearchTogglesProps) =>
  toggles
    .filter(({ option }) => values[option] !== undefined)
    .map(({ option, icon }) => (
      <IconButton
        key={option}
        icon={icon}
        size="small"
        side="below"
        name={names[option]}
        shortcut={shortcuts[option]}
        on={values[option] === true}
        onClick={() => onToggle(option)}
      />
    ));
