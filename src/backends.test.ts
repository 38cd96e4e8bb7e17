import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { AgentFiles } from './backends.ts'
import { createTestbed } from './testbed.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backends-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A Navi server that is played from these files, and how to ask it something. */
async function serve(agent: AgentFiles) {
  const testbed = await createTestbed({ dataFolder: newFolder(), environment: {}, agent })
  closers.push(testbed.close)
  const { url } = await testbed.serveBackend('navi', { port: 0 })
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
    return (await reply.json()) as Readonly<Record<string, string>>
  }
  const profiles = (await (await fetch(`${url}/agents/profiles`)).json()) as readonly { readonly id: string }[]
  const { session_id } = await post('/sessions', { profile_id: profiles[0]!.id })
  return {
    profiles: profiles.map(({ id }) => id),
    ask: async (content: string) => (await post(`/sessions/${session_id}/messages`, { content })).content,
  }
}

it('what is recorded is a script that plays again, whatever is said', async () => {
  const file = join(newFolder(), 'run.yaml')
  const recorded = await serve({ record: file })
  const said = [await recorded.ask('make a plan'), await recorded.ask('{{message}} stays as it is')]
  expect(readFileSync(file, 'utf8')).toContain('about: make a plan')
  const played = await serve({ script: file })
  expect([await played.ask('something'), await played.ask('else')]).toEqual(said)
})

it('a profiles file says who can be talked to', async () => {
  const file = join(newFolder(), 'profiles.yaml')
  writeFileSync(file, 'profiles: [{id: clerk, name: Clerk}]')
  expect((await serve({ profiles: file })).profiles).toEqual(['clerk'])
})

it.each([
  [{ script: '/missing/script.yaml' }, 'BadRequest', '/missing/script.yaml cannot be read: ENOENT'],
  [{ record: '/missing/run.yaml' }, 'BadRequest', '/missing/run.yaml cannot be written: ENOENT'],
])('a file that cannot be used ends the start: %j', async (files, code, message) => {
  await expect(serve(files)).rejects.toMatchObject({ code, message })
})
