import { expect } from 'vitest'
import type { TestDesktop } from '../../../src/testing.ts'
import { endStateOf } from './end-state.ts'

/** What an element of a page is, for a client that finds elements by their roles and names. */
export type PageRole = 'button' | 'link' | 'edit' | 'spinner' | 'password'

/** What a client of a door does in a browser. */
export interface BrowserClient {
  goTo(address: string): Promise<unknown>
  click(role: PageRole, name: string): Promise<unknown>
  fill(role: PageRole, name: string, value: string): Promise<unknown>
}

/** Orders in the shop of the scenario `web` and pays at its bank with a client, and expects all oracles to hold. */
export async function orderAndPay(desktop: TestDesktop, { goTo, click, fill }: BrowserClient): Promise<void> {
  await goTo('shop.test/cart')
  await click('button', 'Remove')
  await goTo('https://shop.test/products/teapot')
  await fill('spinner', 'Quantity', '2')
  await click('button', 'Add to cart')
  await click('button', 'Check out')
  await fill('edit', 'Name', 'Ada Moreno')
  await fill('edit', 'Street', '1 Bean Street')
  await click('button', 'Place order')
  await click('link', 'Pay at your bank')
  await fill('password', 'Password', 'open sesame')
  await click('button', 'Sign in')
  await fill('edit', 'Pay to', 'Tea & Table')
  await fill('edit', 'Amount', '55.80')
  await fill('edit', 'Reference', '4711')
  await click('button', 'Review')
  await click('button', 'Confirm')
  expect((await endStateOf(desktop)).reward).toBe(1)
}
