import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus } from '../../probe/failure.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { AgentProfile, Health } from '../contract.ts'
import { sources } from '../document.ts'
import { onSuccessOf } from '../driver.ts'

/** Health, profiles, tools and static files. */
export const metaRules = defineRules('meta', {
  health: {
    level: 'MUST',
    text: 'GET /health answers {"status":"ok"}.',
    source: sources.rest,
    basis: { states: 'GET /health answers with status "ok".' },
    covers: ['N-E1'],
    check: async ({ http }) => {
      const answer = await http.get('/health')
      assertStatus(answer, 200)
      answer.json(Health)
    },
    sabotage: {
      'is not ok': onSuccessOf('GET /health', (json) => {
        json.status = 'starting'
      }),
    },
  },

  profiles: {
    level: 'MUST',
    text: 'Profiles have unique ids, and no tool is listed twice.',
    source: sources.rest,
    basis: { states: 'Profiles are listed with their id; tools lists all that are registered, by name.' },
    covers: ['N-E2', 'N-E3'],
    check: async ({ http }) => {
      const profiles = (await http.get('/agents/profiles')).json(z.array(AgentProfile).min(1))
      const tools = (await http.get('/agents/tools')).json(z.array(z.looseObject({ name: z.string() })))
      const names = tools.map((tool) => tool.name)
      assert.equal(new Set(profiles.map((profile) => profile.id)).size, profiles.length, 'a profile id repeats')
      assert.equal(new Set(names).size, names.length, 'a tool is listed twice')
    },
    sabotage: {
      'lists one profile twice': onSuccessOf('GET /agents/profiles', (json) => {
        json.push(json[0])
      }),
    },
  },

  tools: {
    level: 'SHOULD',
    text: 'The tools of a profile are registered ones.',
    source: sources.open,
    basis: { because: 'The document does not specify that enabled tools are among the registered ones.' },
    covers: ['N-E2', 'N-E3'],
    check: async ({ http }) => {
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
    },
    sabotage: {
      'lists no tools': onSuccessOf('GET /agents/tools', (json) => {
        json.length = 0
      }),
    },
  },

  static: {
    level: 'MUST',
    text: 'Static files are served with Cache-Control no-store.',
    source: sources.files,
    basis: { states: 'GET /static/** serves files of client/ with Cache-Control no-store.' },
    covers: ['N-E14'],
    tier: 'full',
    check: async ({ http, profile }) => {
      const answer = await http.get(`/static/${profile.known('static', z.string())}`)
      assertStatus(answer, 200)
      assert.match(answer.headers['cache-control'] ?? '', /(^|,)\s*no-store\s*(,|$)/i)
    },
    sabotage: {
      'caches static files': {
        changeResponse: (response, request) => {
          if (request.path.startsWith('/static/')) response.headers['cache-control'] = 'max-age=60'
        },
      },
    },
  },

  outside: {
    level: 'SHOULD',
    text: 'No static path leads out of the folder of static files.',
    source: sources.open,
    basis: { because: 'Files are served from client/; the document does not cover paths that lead out of it.' },
    covers: ['N-E14'],
    check: async ({ http }) => {
      for (const path of ['/static/../package.json', '/static/%2e%2e/package.json', '/static/..%2fpackage.json'])
        assert.ok((await http.get(path)).status >= 400, `${path} is served`)
    },
    sabotage: {
      'serves whatever lies outside': changeStatus(404, 200, ({ path }) => path.startsWith('/static/')),
    },
  },
})
