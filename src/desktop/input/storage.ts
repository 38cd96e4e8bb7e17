import { Fault } from '../../base/fault.ts'
import { putFile } from '../files/files.ts'
import { type Desktop, desktopWith, filesOf } from '../model/desktop.ts'
import { MAX_TEXT_CHARACTERS } from '../widgets/text/text.ts'
import { untypableIn } from './keyboard.ts'

/** Replaces the text of the clipboard. Throws `BadRequest` for a text with control characters, `TooLarge` for a long one. */
export function withClipboard(desktop: Desktop, text: string): Desktop {
  if (text.length > MAX_TEXT_CHARACTERS)
    throw new Fault('TooLarge', `the clipboard holds at most ${MAX_TEXT_CHARACTERS} characters, not ${text.length}`)
  const odd = untypableIn(text)
  if (odd) throw new Fault('BadRequest', `the clipboard holds text, and U+${odd.code} at ${odd.index} is none`, odd)
  return desktopWith(desktop, { clipboard: text.replace(/\r\n?/g, '\n') })
}

/** Writes a file with the folders that it needs. Throws as `putFile` does. */
export const withFile = (desktop: Desktop, path: string, text: string): Desktop =>
  desktopWith(desktop, { files: putFile(filesOf(desktop), path, text) })
