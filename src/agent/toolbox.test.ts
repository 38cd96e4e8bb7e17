import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openDesktop } from '../testing.ts'
import { desktopTools } from './toolbox.ts'

const LOGIN = readFileSync(new URL('../../scenarios/login.yaml', import.meta.url), 'utf8')
const context = { callId: 'c', signal: new AbortController().signal }

it('[AG21] attaches the images of a result and converts the rest to text', async () => {
  const { call } = desktopTools(openDesktop({ scenario: LOGIN }).session)
  const { ok, result, text, images } = await call('get_screenshot', {}, context)
  const { data, ...rest } = result as { data: string }
  expect([ok, JSON.parse(text!), images]).toEqual([true, rest, [{ mimeType: 'image/png', base64: data }]])
})

it('[AG21] keeps a result without images unchanged', async () => {
  const { call } = desktopTools(openDesktop({ scenario: LOGIN }).session)
  const answer = await call('list_windows', {}, context)
  expect(Object.keys(answer)).toEqual(['ok', 'result'])
})
