import { yieldingWork } from '../base/yielding.ts'
import { filesOf } from '../desktop/desktop.ts'
import { isFile, isFolder, readFile } from '../desktop/files.ts'
import { evaluate, type View } from '../scenario/oracle.ts'
import { readText } from './reading.ts'
import type { Session } from './session.ts'
import { compareToReference } from './similarity.ts'
import { listWindows } from './target.ts'

/** The verdicts on some predicates, in order. */
export async function judge(session: Session, predicates: readonly unknown[]) {
  const view = viewOf(session)
  const work = yieldingWork()
  const results = []
  for (const predicate of predicates) {
    results.push(await evaluate(predicate, view))
    await work.pause()
  }
  return results
}

/** Files and clipboard are known of a synthetic desktop only; what redaction hides is hidden in them as well. */
function storesOf({ computer, redaction }: Session): Pick<View, 'file' | 'clipboard' | 'tell'> {
  const { stage } = computer
  if (!stage) return {}
  return {
    file: (path) => {
      const files = filesOf(stage.desktop)
      if (isFile(files, path)) return redaction.text(readFile(files, path))
      return isFolder(files, path) ? null : undefined
    },
    clipboard: () => redaction.text(stage.desktop.clipboard),
    tell: redaction.stored,
  }
}

const viewOf = (session: Session): View => ({
  ...storesOf(session),
  windows: () => listWindows(session),
  tree: (uid) => session.computer.tree(uid),
  ocr: async (uid) => {
    const words = await readText(session, await session.computer.screenshot({ window: uid }))
    return words.map(({ text }) => text).join(' ')
  },
  similarity: (uid, path) => compareToReference(session, uid, path),
})
