import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { galleryNames } from '../../compose/gallery.ts'
import { createTestbed } from '../../compose/testbed.ts'

// Rules such as [OB179] are stated in README.md beside this file. scenarios.test.ts opens one of these scenarios.

it.each(galleryNames())(
  '[OB179] %s opens by its name, in a session of its own and in one that is open',
  async (name) => {
    const testbed = await createTestbed({ scenario: 'login' })
    onTestFinished(() => testbed.close())
    const { url } = await testbed.serveRest({ port: 0 })
    const post = async (path: string, sent: object) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      const body = (await response.json()) as Record<string, unknown> & { readonly info?: object }
      return { status: response.status, body }
    }
    const opened = await post('/sessions', { scenario: name })
    expect([opened.status, opened.body.scenario]).toEqual([201, name])
    const tools = `${opened.body.base_url}/api/tool`
    const loaded = await post(`${tools}/load_scenario`, { path: name, seed: 2 })
    expect([loaded.status, loaded.body.scenario]).toEqual([200, name])
    const reset = await post(`${tools}/session_reset`, { scenario: name, seed: 3 })
    expect([reset.status, reset.body.info]).toMatchObject([200, { scenario: name, seed: 3 }])
  },
)

// A list of scenarios reads the whole gallery, which takes seconds.
describe('the list of scenarios', () => {
  async function listing() {
    const extra = mkdtempSync(join(tmpdir(), 'backlot-listed-'))
    const testbed = await createTestbed({ scenario: 'login', config: { roots: [extra] } })
    onTestFinished(async () => {
      await testbed.close()
      rmSync(extra, { recursive: true })
    })
    const { url } = await testbed.serveRest({ port: 0 })
    // biome-ignore lint/suspicious/noExplicitAny: JSON of a server
    const list = async () => (await (await fetch(`${url}/scenarios`)).json()) as any
    return { extra, list }
  }

  it('[REST21] has names, tasks, tags and difficulty', async () => {
    const { extra, list } = await listing()
    const text =
      '{name: other, task: Press other, tags: [mine, 7], difficulty: hard, states: {SPOILER: {windows: [{title: other}]}}}'
    writeFileSync(join(extra, 'other.yaml'), text)
    writeFileSync(join(extra, 'unusable.yaml'), 'states: 5')
    const body = await list()
    expect(body.scenarios[0]).toEqual({
      scenario: 'other',
      name: 'other',
      task: 'Press other',
      tags: ['mine', '7'],
      difficulty: 'hard',
    })
    const gallery = body.scenarios.slice(1)
    expect(gallery.map(({ scenario }: { scenario: string }) => scenario)).toContain('login')
    expect([body.count, gallery.length]).toEqual([1 + galleryNames().length, galleryNames().length])
    for (const { task, tags, difficulty } of gallery)
      expect([task, tags, difficulty]).toEqual([
        expect.stringMatching(/.{20}/),
        expect.arrayContaining([expect.any(String)]),
        expect.stringMatching(/^(easy|medium|hard)$/),
      ])
    expect(JSON.stringify(body)).not.toContain('SPOILER')
  })

  it('[REST21] has a file as it is now, with the files that it includes', async () => {
    const { extra, list } = await listing()
    const [path, part] = [join(extra, 'listed.yaml'), join(extra, 'listed-part.yaml')]
    writeFileSync(path, 'name: listed\ntask: "Press {{ key }}"\ninclude: [listed-part.yaml]\nstates: {a: {}}\n')
    writeFileSync(part, 'params: {key: one}\n')
    const taskOf = async () =>
      (await list()).scenarios.find(({ name }: { readonly name: string }) => name === 'listed')?.task
    expect(await taskOf()).toBe('Press one')
    writeFileSync(part, 'params: {key: two more}\n')
    expect(await taskOf()).toBe('Press two more')
    writeFileSync(path, 'name: listed\nstates: {a: 5}\n')
    expect(await taskOf()).toBeUndefined()
    writeFileSync(path, 'name: listed\ntask: Press\nstates: {a: {}}\n')
    expect(await taskOf()).toBe('Press')
  })
})
