import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { makeAgentFolder } from './agent-folder.ts'

it('[EV33] folders of agents whose run was killed are removed by the next run, and no others', () => {
  const parent = mkdtempSync(join(tmpdir(), 'backlot-folders-'))
  try {
    const first = basename(makeAgentFolder(parent))
    const { pid: ended } = spawnSync(process.execPath, ['--version'])
    const killed = first.replace(`-${process.pid}-`, `-${ended}-`)
    mkdirSync(join(parent, killed, 'bin'), { recursive: true })
    writeFileSync(join(parent, killed, 'bin', 'backlot'), '')
    const foreign = [`backlot-agent-1-${ended}-x`, `backlot-other-${ended}-x`, 'backlot-agent-x']
    for (const name of foreign) mkdirSync(join(parent, name))
    const second = basename(makeAgentFolder(parent))
    expect(readdirSync(parent).toSorted()).toEqual([first, second, ...foreign].toSorted())
  } finally {
    rmSync(parent, { recursive: true })
  }
})
