import assert from 'node:assert/strict'
import * as z from 'zod'
import { AgentProfile, Health } from '../../navi/contract.ts'
import { check } from '../check.ts'

check('navi:meta:health', async ({ http }) => {
  const answer = await http.get('/health')
  assert.equal(answer.status, 200)
  answer.json(Health)
})

check('navi:meta:profiles', async ({ http }) => {
  const profiles = (await http.get('/agents/profiles')).json(z.array(AgentProfile).min(1))
  const tools = (await http.get('/agents/tools')).json(z.array(z.looseObject({ name: z.string() })))
  const names = tools.map((tool) => tool.name)
  assert.equal(new Set(profiles.map((profile) => profile.id)).size, profiles.length, 'a profile id repeats')
  assert.equal(new Set(names).size, names.length, 'a tool is listed twice')
})

check('navi:meta:tools', async ({ http }) => {
  const profiles = (await http.get('/agents/profiles')).json(z.array(AgentProfile).min(1))
  const names = (await http.get('/agents/tools'))
    .json(z.array(z.looseObject({ name: z.string() })))
    .map(({ name }) => name)
  for (const { id, enabled_tools } of profiles)
    assert.deepEqual(
      enabled_tools.filter((tool) => !names.includes(tool)),
      [],
      `tools of ${id} are not registered`,
    )
})

check('navi:meta:static', async ({ http, profile }) => {
  const answer = await http.get(`/static/${profile.known('static', z.string())}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['cache-control'], 'no-store')
})

check('navi:meta:outside', async ({ http }) => {
  for (const path of ['/static/../package.json', '/static/%2e%2e/package.json', '/static/..%2fpackage.json'])
    assert.ok((await http.get(path)).status >= 400, `${path} is served`)
})
