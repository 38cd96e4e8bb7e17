import { KEY_NAMES } from '../../../../desktop/input/keys.ts'

const NAMES: ReadonlySet<string> = new Set([...KEY_NAMES.values()].flatMap(({ pyautogui }) => pyautogui))

/** Whether pyautogui can press the key on a US keyboard: a printable ASCII character, a line end, a tab, or a named key. */
export const isKey = (name: string): boolean =>
  name.length === 1 ? (name >= ' ' && name <= '~') || '\t\n\r'.includes(name) : NAMES.has(name)
