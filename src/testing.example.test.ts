import { expect, test } from 'vitest'
import { createTestbed } from './index.ts'
import { matchers, rehearse } from './testing.ts'

expect.extend(matchers)

test('alice can sign in', async () => {
  const desk = rehearse('login')
  await desk.on('Edit "Username"').type('alice')
  await desk.on('Edit "Password"').type('correct horse')
  await desk.press('enter')
  await expect(desk).toSay('Hello, alice')
  await expect(desk).toBeSolved()
})

test('nobody signs in without a password', async () => {
  const desk = rehearse('login')
  await desk.on('Edit "Username"').type('alice')
  await desk.on('Button "Login"').click()
  await expect(desk).toShow('Edit "Password"[focused=false]')
  await expect(desk).not.toBeSolved()
})

test('my agent signs in', async () => {
  await using testbed = await createTestbed({ scenario: 'login', seed: 7 })
  const { url } = await testbed.serveRest({ port: 0 })
  await myAgent(url, 'Sign in as alice')
  await expect(testbed).toBeSolved()
})

/** Stands for the agent that you test: all that it knows is where the desktop is. */
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
