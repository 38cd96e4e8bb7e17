import { expect, it, onTestFinished } from 'vitest'
import { galleryNames } from '../../compose/gallery.ts'
import { createTestbed } from '../../compose/testbed.ts'

// Rules such as [L4] are stated in README.md beside this file. scenarios.test.ts opens two of these scenarios.

it.each(galleryNames())('[L4] %s opens by its name, in a session of its own and in one that is open', async (name) => {
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
})
