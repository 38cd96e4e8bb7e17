import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { FAULTS, type FaultCode } from '../../base/fault.ts'
import { createFastifyApp } from '../../compose/rest-app.ts'
import { openDesktop, type TestDesktopOptions } from '../../testing.ts'
import { status } from './translate.ts'

// Rules such as [REST11] are stated in README.md beside this file.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: A
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: A
          children:
            - {id: go, role: Button, name: Go, bounds: {x: 10, y: 50, width: 80, height: 28}}
            - {id: off, role: Button, name: "Off", enabled: false, bounds: {x: 10, y: 90, width: 80, height: 28}}
            - {id: gone, role: Button, name: Outside, bounds: {x: 900, y: 90, width: 80, height: 28}}
      - {uid: mock:b, title: B, bounds: {x: 10, y: 10, width: 200, height: 100}, tree: {role: Window, name: B, children: [{id: x, role: Button, name: X, bounds: {x: 20, y: 50, width: 80, height: 28}}]}}
faults:
  - {on: {tool: get_monitors}, times: 1, code: Internal}
  - {on: {tool: get_capabilities}, times: 1, code: PredicateUnsupported}
`

interface Provoked extends TestDesktopOptions {
  readonly request: readonly [method: 'GET' | 'POST', path: string, body?: object]
  /** Requests before it. */
  readonly first?: readonly (readonly ['GET' | 'POST', string, object?])[]
}

const click = (element_id: string, window_uid = 'mock:a') =>
  ['POST', '/api/element/click', { element_id, window_uid }] as const

/** How to meet each code of the document. */
const PROVOKED: Readonly<Record<string, Provoked>> = {
  ElementNotFound: { request: ['GET', '/api/find_element?selector=Link'] },
  ElementOccluded: { request: click('gone') },
  ElementDisabled: { request: click('off') },
  WindowGone: { request: ['GET', '/api/observe?window_uid=nope'] },
  WindowOccluded: { request: click('x', 'mock:b') },
  Timeout: {
    request: ['POST', '/api/wait_for', { any_of: [{ type: 'text_visible', regex: 'never' }], timeout_ms: 100 }],
  },
  PatternUnsupported: { request: ['POST', '/api/element/set_value', { element_id: 'go', value: 'x' }] },
  RateLimited: { config: { budget: { actions_per_minute: 1 } }, first: [click('go')], request: click('go') },
  BudgetExceeded: { config: { budget: { max_actions: 1 } }, first: [click('go')], request: click('go') },
  PermissionDenied: { config: { actions: { deny: ['click_element'] } }, request: click('go') },
  ConfirmationRequired: { config: { confirmation_required: [{ name_regex: 'Go' }] }, request: click('go') },
  ConfirmationInvalid: {
    config: { confirmation_required: [{ name_regex: 'Go' }] },
    request: ['POST', '/api/element/click', { element_id: 'go', confirm_token: 'ct:0000000000000000' }],
  },
  SnapshotExpired: { request: ['GET', '/api/snapshot/snap:0000000000000000'] },
  ScenarioInvalid: { request: ['POST', '/api/scenario/load', { path: 'missing.yaml' }] },
  PlatformUnsupported: { config: { ocr: { enabled: false } }, request: ['GET', '/api/ocr'] },
  PredicateUnsupported: { request: ['GET', '/api/capabilities'] },
  BadRequest: { request: ['POST', '/api/element/click', {}] },
  Internal: { request: ['GET', '/api/monitors'] },
}

/** The statuses of the contract. */
const STATUS: Readonly<Record<string, number>> = {
  ElementNotFound: 404,
  ElementOccluded: 409,
  ElementDisabled: 409,
  WindowGone: 404,
  WindowOccluded: 409,
  Timeout: 408,
  PatternUnsupported: 501,
  RateLimited: 429,
  BudgetExceeded: 429,
  PermissionDenied: 403,
  ConfirmationRequired: 412,
  ConfirmationInvalid: 412,
  SnapshotExpired: 410,
  ScenarioInvalid: 400,
  PlatformUnsupported: 501,
  PredicateUnsupported: 501,
  BadRequest: 400,
  Internal: 500,
}

const injected = ([method, url, payload]: readonly ['GET' | 'POST', string, object?]): InjectOptions => ({
  method,
  url,
  ...(payload && { payload }),
})

describe('the codes of the document', () => {
  it.each(Object.entries(PROVOKED))(
    '[REST11] %s is met, with its status',
    async (code, { request, first, ...options }) => {
      const desk = openDesktop({ scenario: APP, ...options })
      Object.assign(desk.session.context, { report: () => {} })
      const app = await createFastifyApp(desk)
      for (const each of first ?? []) await app.inject(injected(each))
      const reply = await app.inject(injected(request))
      const row: { retry: boolean; remedy?: string } = FAULTS[code as FaultCode]
      expect(reply.json()).toMatchObject({
        ok: false,
        success: false,
        step_id: expect.any(Number),
        error: {
          code,
          message: expect.stringMatching(/./),
          recoverable: row.retry,
          suggested_next_tool: row.remedy ?? null,
          context: {},
        },
      })
      expect(reply.statusCode).toBe(STATUS[code])
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    },
  )

  it('[REST11] are all met here', () => {
    expect(Object.keys(PROVOKED)).toEqual(Object.keys(FAULTS).slice(0, 18))
    expect(status).toMatchObject(STATUS)
  })
})

describe('errors of the first version', () => {
  const V1: readonly (readonly [method: 'GET' | 'POST', path: string, body?: object])[] = [
    ['GET', '/api/sketch?window_uid=nope'],
    ['GET', '/api/description?window_index=9'],
    ['GET', '/api/screenshot?window_index=9'],
    ['GET', '/api/visible_areas?window_index=9'],
    ['GET', '/api/full_screenshot?window_index=9'],
    ['POST', '/api/bring_to_foreground?x', { window_uid: 'nope' }],
    ['POST', '/api/action', {}],
    ['POST', '/api/action', { action: 'dance' }],
    ['POST', '/api/action', { action: 'click_at', x: 'left', y: 1 }],
    ['POST', '/api/action', { action: 'scroll', x: 5, clicks: 1 }],
    ['POST', '/api/action', { action: 'type' }],
    ['POST', '/api/action', { action: 'key', value: 'no such key' }],
  ]

  it.each(V1.map((request) => ({ request })))(
    '[REST11] $request explains the error in a sentence',
    async ({ request }) => {
      const app = await createFastifyApp(openDesktop({ scenario: APP }))
      const reply = await app.inject(injected(request))
      expect(reply.statusCode).toBe(400)
      expect(reply.json()).toMatchObject({ ok: false, success: false, error: expect.stringMatching(/./) })
      expect(reply.json().error_detail).toMatchObject({ code: reply.json().code, message: reply.json().error })
    },
  )

  it('[REST11] names the field of an action that is wrong', async () => {
    const app = await createFastifyApp(openDesktop({ scenario: APP }))
    const error = async (payload: object) =>
      (await app.inject({ method: 'POST', url: '/api/action', payload })).json().error
    expect(await error({})).toBe('action: use click_at, type, key or scroll')
    expect(await error({ action: 'click_at', y: 1 })).toMatch(/^x: /)
    expect(await error({ action: 'type', value: 5 })).toMatch(/^value: /)
  })
})
