import { describe, expect, it } from 'vitest'
import {
  hasElement,
  inPage,
  isReady,
  LIVE_DESK,
  livePageAt,
  openLive,
  shows,
} from '../../test/support/viewer/live-page.ts'
import { closeLater, launchBrowser } from '../../test/support/viewer/test-browser.ts'
import { createTestbed } from '../compose/testbed.ts'

// Tests the live entrance in a browser. Rules such as [VW45] are stated in README.md beside this file.

launchBrowser()

describe('the connection', () => {
  it('[VW44] has a form for the token of the server, and keeps it', async () => {
    const { page } = await openLive({ token: 's3cret' })
    await shows(page, '.notice', 'Token required')
    await page.getByLabel('Token of the server').fill('wrong')
    await page.keyboard.press('Enter')
    await shows(page, '.notice', 'Token required')
    await page.getByLabel('Token of the server').fill('s3cret')
    await page.keyboard.press('Enter')
    await isReady(page)
    await page.reload()
    await isReady(page)
  })

  it('[VW44] has a form for the token of the harness', async () => {
    const { page } = await openLive({ audience: 'agent', harnessToken: 'judge' })
    await page.getByLabel('Harness token').fill('judge')
    await page.getByRole('button', { name: 'Continue' }).click()
    await isReady(page)
  })

  it('[VW45] reports a server that does not answer, keeps what it shows, and tries again', async () => {
    const { page, desk, shut } = await openLive()
    await isReady(page)
    await shows(page, '.tree', 'Edit')
    let failures = 0
    await page.route('**/api/inspector/screen*', (route) => {
      if (failures++ > 0) return route.fallback()
      return route.fulfill({ status: 500, json: { ok: false, error: { message: 'the capture failed' } } })
    })
    await page.getByLabel('Follow').uncheck()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await shows(page, '.status', 'the capture failed')
    await desk.locator('Edit "Name"').type('hello')
    const whole = page.waitForRequest((request) => /screen\?(?!.*version)/.test(request.url()))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await whole
    await shows(page, '.tree', 'hello')
    await shut()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await shows(page, '.status', 'the server does not answer')
    await shows(page, '.tree', 'hello')
  })

  it('[VW45] has a button to try again before the first answer', async () => {
    const { page, url } = await openLive()
    await page.getByLabel('Follow').uncheck()
    await page.route('**/api/inspector/screen*', (route) => route.abort())
    await page.goto(url)
    await shows(page, '.notice', 'the server does not answer')
    await page.unroute('**/api/inspector/screen*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await isReady(page)
  })

  it('[VW45] follows the desktop, and says when no window is open', async () => {
    const { page, desk } = await openLive()
    await shows(page, '.status', '2 windows, synthetic desktop')
    for (let open = 2; open > 0; open--) await desk.press('alt+f4')
    await shows(page, '.status', 'no window is open')
    await shows(page, '.windows-panel', 'No window is open.')
  })

  it('[VW53] leaves steps, budget and trace to the agent', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    await page.mouse.move(...(await inPage(page, 100, 100)))
    await page.getByRole('tab', { name: 'Data' }).click()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await shows(page, '.status', '2 windows')
    expect(desk.session.steps).toBe(0)
  })
})

describe('the scenario', () => {
  it('[VW51] advances, runs and pauses the clock', async () => {
    const { page } = await openLive()
    await shows(page, '.clock', 'next timer in 1 s')
    await page.getByRole('button', { name: '+100 ms' }).click()
    await shows(page, '.clock', '100 ms next timer in 900 ms')
    await page.getByRole('button', { name: 'Run' }).click()
    await shows(page, '.tree', 'late')
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect.poll(() => page.textContent('.clock')).toContain('no timer is running')
  })

  it('[VW51] goes a step back, and resets with a seed', async () => {
    const { page, desk } = await openLive()
    await desk.locator('Button "Go"').click()
    await shows(page, '.about', 'step1')
    await page.getByRole('button', { name: 'Step back' }).click()
    await hasElement(desk, 'ProgressBar "Once"[value_now=0]')
    await page.getByLabel('Seed').fill('77')
    await page.keyboard.press('Enter')
    await shows(page, '.about', 'seed77')
  })

  it('[VW54] shows oracles, reward, state, variables, clipboard and files', async () => {
    const { page, desk } = await openLive()
    await page.getByRole('tab', { name: 'Oracles' }).click()
    await shows(page, '.oracles', 'Go was not pressed')
    await shows(page, '.reward', 'Reward 0')
    await desk.locator('Button "Go"').click()
    await shows(page, '.reward', 'Reward 1')
    await shows(page, '.oracles .sign.good', 'holds')
    await page.getByRole('tab', { name: 'Data' }).click()
    await shows(page, '.data', 'visits2')
    await page.getByRole('button', { name: '/home/user/notes.txt' }).click()
    await shows(page, '.files', 'buy milk')
    await shows(page, '.chip.now', 'only')
  })

  it('[VW51] [VW55] resets to another scenario, and opens other sessions', async () => {
    const testbed = await createTestbed({ scenario: LIVE_DESK })
    closeLater(() => testbed.close())
    const { url } = await testbed.serveRest({ port: 0 })
    const page = await livePageAt(url)
    await isReady(page)
    expect(await page.locator('.sessions').count()).toBe(0)
    const scenarios = page.getByRole('combobox', { name: 'Scenario' })
    await scenarios.focus()
    // All scenarios of the gallery are read.
    await scenarios.selectOption('login', { timeout: 60_000 })
    await page.getByRole('button', { name: 'Reset' }).click()
    await shows(page, 'h1', 'login')
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"scenario":"notepad"}' }
    const { session_id: id } = (await (await fetch(`${url}/sessions`, sent)).json()) as { readonly session_id: string }
    await page.reload()
    await page.getByLabel('Session').selectOption(`/sessions/${id}`)
    await shows(page, 'h1', 'notepad')
    expect(new URL(page.url()).pathname).toBe(`/sessions/${id}/`)
  })
})
