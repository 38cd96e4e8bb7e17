import { expect, test } from 'vitest'
import { createTestbed } from '../../src/index.ts'
import { matchers, openDesktop } from '../../src/testing.ts'

expect.extend(matchers)

test('alice can sign in', async () => {
  const desktop = openDesktop({ scenario: 'login' })
  await desktop.locator('Edit "Username"').type('alice')
  await desktop.locator('Edit "Password"').type('correct horse')
  await desktop.press('enter')
  await expect(desktop).toHaveText('Hello, alice')
  await expect(desktop).toBeSolved()
})

test('sign-in fails without a password', async () => {
  const desktop = openDesktop({ scenario: 'login' })
  await desktop.locator('Edit "Username"').type('alice')
  await desktop.locator('Button "Login"').click()
  await expect(desktop).toHaveElement('Edit "Password"[focused=false]')
  await expect(desktop).not.toBeSolved()
})

test('my agent signs in', async () => {
  await using testbed = await createTestbed({ scenario: 'login' })
  const { url } = await testbed.serveRest({ port: 0 })
  await myAgent(url, 'Sign in as alice')
  await expect(testbed).toBeSolved()
})

/** A stand-in for the agent under test, which knows only the URL of the desktop. */
async function myAgent(url: string, _task: string): Promise<void> {
  const act = (tool: string, args: object) =>
    fetch(`${url}/api/tool/${tool}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
  await act('set_value', { selector: 'Edit "Username"', value: 'alice' })
  await act('set_value', { selector: 'Edit "Password"', value: 'correct horse' })
  await act('click_element', { selector: 'Button "Login"' })
}
