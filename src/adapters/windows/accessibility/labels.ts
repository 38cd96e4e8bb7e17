/** A label as a person reads it, and the key that its underlined letter names. */
export interface Label {
  readonly name: string
  /** Such as `Alt+F`. */
  readonly accessKey?: string
  /** The shortcut after a tab, such as `Ctrl+S`. */
  readonly shortcut?: string
}

/** Splits the text of a button, label or menu item: `&Save as…\tCtrl+S`. Two ampersands are one. */
export function parseLabel(text: string): Label {
  const [written = '', shortcut] = text.split('\t')
  const key = /(?:^|[^&])(?:&&)*&([^&\s])/.exec(written)?.[1]
  // East Asian labels put the letter in brackets behind the text.
  const name = written
    .replace(/\s*\(&[^&)]\)/, '')
    .replace(/&(.)/g, '$1')
    .trim()
  return {
    name,
    ...(key !== undefined && { accessKey: `Alt+${key.toUpperCase()}` }),
    ...(shortcut !== undefined && shortcut !== '' && { shortcut }),
  }
}

/** The name that a label gives to the control behind it, without its colon. */
export const labelName = (text: string): string => parseLabel(text).name.replace(/\s*[:：]$/, '')
