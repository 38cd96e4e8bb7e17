import { fromPng } from '../paint/picture.ts'
import { compare } from '../paint/ssim.ts'
import type { Session } from './session.ts'

/** How alike a window looks to a stored picture: the lower of the global and the worst patch's structural similarity. */
export async function compareToReference(session: Session, windowUid: string, path: string): Promise<number> {
  const reference = fromPng(await session.folder.readBytes(path))
  const actual = await session.computer.screenshot({ window: windowUid })
  return compare(reference, actual).global
}
