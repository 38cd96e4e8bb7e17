import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { GALLERY } from './gallery.ts'
import { shippedHead } from './scenario-list.ts'

// Rules such as [REST22] are stated in ../protocols/observer-rest/README.md.

it('[REST22] a file that ships has its entry while it and the files that it includes are as they were', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-heads-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(GALLERY, folder, { recursive: true })
  const nameOf = async (file: string) => (await shippedHead(join(folder, file), folder))?.head?.name
  const names = () => Promise.all(['login.yaml', 'inbox.yaml', 'mine.yaml', 'constructor'].map(nameOf))
  expect(await names()).toEqual(['login', 'inbox', undefined, undefined])
  appendFileSync(join(folder, 'login.yaml'), '# mine\n')
  expect(await names()).toEqual([undefined, 'inbox', undefined, undefined])
  const { files } = (await shippedHead(join(folder, 'inbox.yaml'), folder))!
  appendFileSync([...files.keys()].at(-1)!, '# mine\n')
  expect(await names()).toEqual([undefined, undefined, undefined, undefined])
})
