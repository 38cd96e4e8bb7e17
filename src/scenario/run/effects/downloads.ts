import { Fault } from '../../../base/fault.ts'
import { filesOf } from '../../../desktop/model/desktop.ts'
import { exists, type Files, writeFile } from '../../../desktop/model/files.ts'
import { type ScenarioRun, withDesktop } from '../../scenario-run.ts'
import { browserOf, withBrowser } from './browser-state.ts'
import { skipEffect } from './context.ts'

/** A file that an address answers instead of a page. */
export interface ServedFile {
  readonly name: string
  readonly text: string
}

/** The list of downloads is at most this long. The oldest go first; their files stay. */
const MAX_DOWNLOADS = 100

/** The run with a file in the folder of downloads, under a name that is free there, and in the list of downloads. */
export function downloaded(run: ScenarioRun, url: string, { name, text }: ServedFile): ScenarioRun {
  const { downloads, download_folder: folder } = browserOf(run)
  const files = filesOf(run.desktop)
  const file = freeName(files, folder, safeName(name))
  const path = `${folder}/${file}`
  try {
    const saved = withDesktop(run, { ...run.desktop, files: writeFile(files, path, text) })
    const id = (downloads[0]?.id ?? 0) + 1
    const all = [{ id, file, path, url, size: Buffer.byteLength(text) }, ...downloads]
    return withBrowser(saved, { downloads: all.slice(0, MAX_DOWNLOADS) })
  } catch (error) {
    if (error instanceof Fault) return skipEffect(run, 'navigate', error.message)
    throw error
  }
}

/** A name that a path can end with. */
const safeName = (name: string): string => {
  const clean = name.replace(/[/\\\p{Cc}]/gu, '_').trim()
  return /^\.*$/.test(clean) ? 'download' : clean.slice(0, 200)
}

/** `invoice (1).txt` if there is an `invoice.txt`. */
function freeName(files: Files, folder: string, name: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 1; exists(files, `${folder}/${free}`); number++) free = `${stem} (${number})${end}`
  return free
}
