import { describe, expect, it } from 'vitest'
import { act, begin, click, element, key, type } from '../../../test/support/scenario/player.ts'
import { nodeById, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { checkScenario, parseScenario } from '../load/load.ts'
import { evaluateChanges } from '../oracles/changes.ts'
import { shownTexts } from '../predicate.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'
import type { BrowserData } from './browser-window.ts'
import { addressOf, buildSites, matchRoute } from './sites.ts'

const SHOP = `
vars:
  signed_in: false
  cart: [{id: none}]
  products: [{id: mug, name: Mug}, {id: tea, name: Green tea}]
sites:
  shop.test:
    header: [{id: to-cart, role: Hyperlink, name: 'Cart ({{ size(cart) }})', href: /cart}]
    footer: [{role: Text, name: Imprint}]
    not_found: {title: Nothing here, children: [{role: Heading, name: Nothing here}]}
    pages:
      /:
        title: Tiny Shop
        children:
          - {repeat: products, as: product, id: product, role: Hyperlink, name: '{{ product.name }}', href: 'products/{{ product.id }}'}
          - {id: stay, role: Button, name: Stay, href: /cart}
      /products/new: {title: New, children: [{role: Text, name: New}]}
      /products/{id}:
        title: 'Product {{ id }}'
        found: products.exists(p, p.id == id)
        children:
          - {repeat: 'products.filter(p, p.id == id)', as: shown, id: shown, role: Heading, name: '{{ shown.name }}'}
          - {id: buy, role: Button, name: 'Buy {{ id }}'}
          - {id: note, role: Edit, name: Note}
        reactions: [{on: {tool: click_element, target_id: buy}, set: [{var: cart, append: {id: '{{ id }}'}}, {navigate: /cart}]}]
      /cart: {title: Cart, children: [{id: pay, role: Button, name: Pay, href: 'https://bank.test/pay?amount=12'}, {id: buy, role: Button, name: Other}]}
      /account: {title: Account, redirect: {to: '/login?next=/account', when: '!signed_in'}, children: [{role: Text, name: Hello}]}
      /login:
        title: Sign in
        query: {next: /}
        children: [{id: enter, role: Button, name: 'Go to {{ next }}'}]
        reactions: [{on: {tool: click_element, target_id: enter}, set: [{var: signed_in, to: true}, {navigate: '{{ next }}'}]}]
      /old: {redirect: /cart}
      /loop: {redirect: /loop}
  bank.test: {pages: {/pay: {title: 'Pay {{ amount }}', query: {amount: '0'}, children: [{role: Text, name: 'Pay {{ amount }}'}]}}}
states: {open: {windows: [{browser: {tabs: [shop.test, bank.test/pay], bookmarks: {Bank: bank.test/pay}}, bounds: {x: 0, y: 0, width: 900, height: 700}}]}}
reactions: [{on: {tool: click_element, target_id: stay}, set: [{log: stayed}]}]
`

const browserOf = (run: ScenarioRun) => run.data.browser as unknown as BrowserData
const urlOf = (run: ScenarioRun) => browserOf(run).url
const treeOf = (run: ScenarioRun) => run.desktop.windows[0]!.tree
/** The names of the elements of the page. */
const pageOf = (run: ScenarioRun) =>
  [...walk(nodeById(treeOf(run), 'browser-page')!)].slice(1).flatMap(({ name }) => (name === '' ? [] : [name]))
const visit = (run: ScenarioRun, address: string) => type(key(run, 'ctrl+l'), `${address}\n`)
const tabsOf = (run: ScenarioRun) => browserOf(run).tabs.map(({ title }) => title)

describe('a browser', () => {
  const start = begin(SHOP)
  const mug = click(start, 'product-mug')

  it('[WB1] [WB16] shows the page of its first tab', () => {
    expect(start.desktop.windows[0]!.title).toBe('Tiny Shop - Browser')
    const bars = ['browser-tab-1', 'browser-tab-2', 'browser-address', 'browser-back', 'browser-page']
    expect(bars.map((id) => [element(start, id).role, element(start, id).name, element(start, id).value])).toEqual([
      ['TabItem', 'Tiny Shop', 'https://shop.test/'],
      ['TabItem', 'Pay 0', 'https://bank.test/pay'],
      ['Edit', 'Address', 'https://shop.test/'],
      ['Button', 'Back', null],
      ['Document', 'Tiny Shop', null],
    ])
    expect(pageOf(start)).toEqual(['Header', 'Cart (1)', 'Mug', 'Green tea', 'Stay', 'Footer', 'Imprint'])
    const { url, title, page, site, params } = browserOf(mug)
    expect({ url, title, page, site, params }).toEqual({
      url: 'https://shop.test/products/mug',
      title: 'Product mug',
      page: 'shop.test/products/{id}',
      site: 'shop.test',
      params: { id: 'mug', next: '', amount: '' },
    })
  })

  it('[WB40] [WB41] has a menu whose items do what the controls do', () => {
    const opened = click(mug, 'browser-menu-open')
    expect(element(opened, 'browser-menu').traits?.popup).toBeDefined()
    const choose = (run: ScenarioRun, id: string) => click(click(run, 'browser-menu-open'), id)
    expect(tabsOf(choose(mug, 'browser-menu-new-tab'))).toEqual(['Product mug', 'New Tab', 'Pay 0'])
    expect(element(mug, 'browser-menu-reopen').enabled).toBe(false)
    const closed = choose(mug, 'browser-menu-close-tab')
    expect(tabsOf(closed)).toEqual(['Pay 0'])
    const again = choose(closed, 'browser-menu-reopen')
    expect([tabsOf(again), urlOf(again)]).toEqual([['Pay 0', 'Product mug'], 'https://shop.test/products/mug'])
    expect(tabsOf(key(closed, 'ctrl+shift+t'))).toEqual(tabsOf(again))
    const marked = choose(mug, 'browser-menu-bookmark')
    expect(browserOf(marked).bookmarks.map(({ title }) => title)).toEqual(['Bank', 'Product mug'])
    expect(element(marked, 'browser-menu-bookmark').name).toBe('Remove the bookmark')
    expect(browserOf(choose(mug, 'browser-menu-downloads')).downloads_open).toBe(true)
    expect(browserOf(choose(mug, 'browser-menu-find')).find.open).toBe(true)
    expect(choose(mug, 'browser-menu-copy').desktop.clipboard).toBe('https://shop.test/products/mug')
    const noted = type(click(mug, 'note'), 'x')
    expect(element(choose(noted, 'browser-menu-reload'), 'note').value).not.toBe('x')
    expect(browserOf(mug).visited).toEqual([
      { id: 'https://shop.test/products/mug', title: 'Product mug' },
      { id: 'https://bank.test/pay', title: 'Pay 0' },
      { id: 'https://shop.test/', title: 'Tiny Shop' },
    ])
    const back = click(click(opened, 'browser-menu-history'), 'browser-visit-https___shop_test_')
    expect(urlOf(back)).toBe('https://shop.test/')
  })

  it('[WB40a] has context menus of tabs and links', () => {
    const right = (run: ScenarioRun, id: string) => {
      const at = centerOf(element(run, id).bounds)
      return act(run, { type: 'click', at, button: 'right', count: 1 }).run
    }
    const onTab = (id: string) => click(right(mug, 'browser-tab-2'), id)
    expect([urlOf(right(mug, 'browser-tab-2')), tabsOf(onTab('browser-tab-duplicate'))]).toEqual([
      'https://bank.test/pay',
      ['Product mug', 'Pay 0', 'Pay 0'],
    ])
    expect([tabsOf(onTab('browser-tab-end')), tabsOf(onTab('browser-tab-others'))]).toEqual([
      ['Product mug'],
      ['Pay 0'],
    ])
    const others = onTab('browser-tab-others')
    expect(tabsOf(click(right(others, 'browser-tab-2'), 'browser-tab-reopen'))).toEqual(['Pay 0', 'Product mug'])
    const onLink = (id: string) => click(right(start, 'product-tea'), id)
    expect([tabsOf(onLink('browser-link-open')), urlOf(onLink('browser-link-open'))]).toEqual([
      ['Tiny Shop', 'Product tea', 'Pay 0'],
      'https://shop.test/',
    ])
    expect(onLink('browser-link-copy').desktop.clipboard).toBe('https://shop.test/products/tea')
  })

  it('[WB42] suggests bookmarks and visited pages while an address is typed', () => {
    const typed = (text: string) => type(key(mug, 'ctrl+l'), text)
    const suggested = (run: ScenarioRun) =>
      nodeById(treeOf(run), 'browser-suggestions')?.children.map(({ name }) => name) ?? []
    expect([suggested(mug), suggested(typed('shop')), suggested(typed('BANK')), suggested(typed('zz'))]).toEqual([
      [],
      ['Product mug', 'Tiny Shop'],
      ['Bank'],
      [],
    ])
    const loaded = click(typed('tiny'), 'browser-suggestion-https___shop_test_')
    expect([urlOf(loaded), element(loaded, 'browser-address').value, suggested(loaded)]).toEqual([
      'https://shop.test/',
      'https://shop.test/',
      [],
    ])
    const restored = key(typed('tiny'), 'escape')
    expect([element(restored, 'browser-address').value, suggested(restored)]).toEqual([urlOf(mug), []])
  })

  it('[WB2] [WB18] follows links, and reacts as the page says', () => {
    expect([urlOf(mug), pageOf(mug)]).toEqual([
      'https://shop.test/products/mug',
      ['Header', 'Cart (1)', 'Mug', 'Buy mug', 'Note', 'Footer', 'Imprint'],
    ])
    const cart = click(mug, 'buy')
    expect([urlOf(cart), cart.data.cart]).toEqual(['https://shop.test/cart', [{ id: 'none' }, { id: 'mug' }]])
    expect(click(cart, 'buy')).toMatchObject({ data: cart.data })
    expect(urlOf(click(cart, 'pay'))).toBe('https://bank.test/pay?amount=12')
    expect(urlOf(click(start, 'stay'))).toBe('https://shop.test/')
  })

  it('[WB4] [WB6] loads what is typed into the address bar, which Ctrl+L selects', () => {
    expect(
      ['shop.test/cart', 'http://shop.test/cart', ' HTTPS://SHOP.TEST/cart'].map((text) => urlOf(visit(mug, text))),
    ).toEqual(Array(3).fill('https://shop.test/cart'))
    const wrong = visit(mug, 'mailto:x@shop.test')
    expect(browserOf(wrong)).toEqual({ ...browserOf(mug), address: 'mailto:x@shop.test' })
  })

  it('[WB5] goes back and forward, and forgets what was ahead', () => {
    const cart = click(mug, 'to-cart')
    const back = click(click(cart, 'browser-back'), 'browser-back')
    expect([urlOf(back), element(back, 'browser-back').enabled]).toEqual(['https://shop.test/', false])
    expect(urlOf(key(key(back, 'alt+right'), 'alt+right'))).toBe('https://shop.test/cart')
    const tea = click(back, 'product-tea')
    expect([browserOf(tea).history, element(tea, 'browser-forward').enabled]).toEqual([
      ['https://shop.test/', 'https://shop.test/products/tea'],
      false,
    ])
    expect(urlOf(key(tea, 'alt+left'))).toBe('https://shop.test/')
  })

  it('[WB6] [WB7] opens, shows and closes tabs', () => {
    const opened = key(mug, 'ctrl+t')
    expect([tabsOf(opened), urlOf(opened), opened.desktop.windows[0]!.focus]).toEqual([
      ['Product mug', 'New Tab', 'Pay 0'],
      '',
      'browser-address',
    ])
    const cart = type(opened, 'shop.test/cart\n')
    expect([tabsOf(cart), browserOf(cart).history]).toEqual([
      ['Product mug', 'Cart', 'Pay 0'],
      ['https://shop.test/cart'],
    ])
    const other = click(cart, 'browser-tab-1')
    expect([urlOf(other), browserOf(other).history.length]).toEqual(['https://shop.test/products/mug', 2])
    expect(urlOf(key(other, 'ctrl+tab'))).toBe('https://shop.test/cart')
    expect(urlOf(key(other, 'ctrl+shift+tab'))).toBe('https://bank.test/pay')
    const closed = key(key(key(other, 'ctrl+w'), 'ctrl+w'), 'ctrl+w')
    expect([tabsOf(closed), pageOf(closed)]).toEqual([['New Tab'], []])
    const tabs = Array(100).fill('s.test')
    const many = begin(
      `sites: {s.test: {pages: {/: {title: S}}}}\nstates: {a: {windows: [{browser: {tabs: ${JSON.stringify(tabs)}}}]}}`,
    )
    expect(browserOf(key(many, 'ctrl+t'))).toBe(browserOf(many))
  })

  it('[WB1] [WB6] closes a tab with its button', () => {
    const closed = click(start, 'browser-tab-2.browser-tab-close')
    expect([tabsOf(closed), urlOf(closed)]).toEqual([['Tiny Shop'], 'https://shop.test/'])
    expect(tabsOf(click(start, 'browser-tab-1.browser-tab-close'))).toEqual(['Pay 0'])
  })

  it('[WB3] has the addresses of links as their values', () => {
    expect([element(start, 'product-mug').value, element(mug, 'to-cart').value, element(start, 'stay').value]).toEqual([
      'https://shop.test/products/mug',
      'https://shop.test/cart',
      null,
    ])
    expect(shownTexts(nodeById(treeOf(start), 'browser-page')!).join()).not.toContain('https')
  })

  it('[WB9] finds a text on the page', () => {
    const found = (run: ScenarioRun) => {
      const { find } = browserOf(run)
      return [find.open, find.text, nodeById(treeOf(run), 'browser-find-count')?.name]
    }
    const opened = key(start, 'ctrl+f')
    expect([found(opened), opened.desktop.windows[0]!.focus]).toEqual([[true, '', '0 of 0'], 'browser-find'])
    const typed = type(opened, 't')
    expect(found(typed)).toEqual([true, 't', '1 of 4'])
    const tea = type(typed, 'e')
    expect([found(tea), found(key(tea, 'enter')), found(key(tea, 'shift+enter'))]).toEqual([
      [true, 'te', '1 of 1'],
      [true, 'te', '1 of 1'],
      [true, 'te', '1 of 1'],
    ])
    expect([key(typed, 'enter'), key(typed, 'shift+f3'), click(typed, 'browser-find-next')].map(found)).toEqual([
      [true, 't', '2 of 4'],
      [true, 't', '4 of 4'],
      [true, 't', '2 of 4'],
    ])
    const closed = key(typed, 'escape')
    expect([found(closed), closed.desktop.windows[0]!.focus]).toEqual([[false, 't', undefined], 'browser-page'])
    expect([found(key(closed, 'ctrl+f')), found(key(typed, 'f5'))]).toEqual([
      [true, 't', '1 of 4'],
      [false, '', undefined],
    ])
    const lines = Array.from({ length: 60 }, (_, index) => `{id: line-${index}, role: Text, name: Line ${index}}`)
    const long = begin(
      `sites: {s.test: {pages: {/: {title: S, children: [${lines.join(', ')}]}}}}
states: {a: {windows: [{browser: s.test, bounds: {x: 0, y: 0, width: 900, height: 700}}]}}`,
    )
    expect(element(long, 'line-57').bounds.y).toBeGreaterThan(700)
    const far = type(key(long, 'ctrl+f'), '57')
    expect(element(far, 'line-57').bounds.y).toBeLessThan(700)
  })

  it('[WB8] opens links in tabs behind, and closes a tab with the middle button', () => {
    const press = (run: ScenarioRun, id: string, more: object) => {
      const { x, y, width, height } = element(run, id).bounds
      const at = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
      return stepScenario(run, { type: 'action', action: { type: 'click', at, count: 1, button: 'left', ...more } }).run
    }
    const opened = press(start, 'product-tea', { button: 'middle' })
    expect([tabsOf(opened), urlOf(opened), pageOf(opened)]).toEqual([
      ['Tiny Shop', 'Product tea', 'Pay 0'],
      'https://shop.test/',
      pageOf(start),
    ])
    const held = press(start, 'product-tea', { modifiers: ['ctrl'] })
    expect([tabsOf(held), urlOf(held)]).toEqual([tabsOf(opened), 'https://shop.test/'])
    expect(urlOf(click(opened, 'browser-tab-3'))).toBe('https://shop.test/products/tea')
    const closed = press(opened, 'browser-tab-2', { button: 'middle' })
    expect([tabsOf(closed), urlOf(closed)]).toEqual([['Tiny Shop', 'Product tea'], 'https://shop.test/'])
  })

  it('[WB11] keeps the page of a tab while another is shown', () => {
    const typed = type(click(mug, 'note'), 'for Ada')
    const there = key(typed, 'ctrl+tab')
    expect([urlOf(there), pageOf(there)]).toEqual(['https://bank.test/pay', ['Pay 0']])
    const back = key(there, 'ctrl+shift+tab')
    expect([urlOf(back), element(back, 'note').value, back.desktop.windows[0]!.focus]).toEqual([
      'https://shop.test/products/mug',
      'for Ada',
      'note',
    ])
    expect(treeOf(back)).toEqual(treeOf(typed))
    expect([...there.pages.keys(), ...back.pages.keys()]).toEqual([1, 2])
    const alike = key(key(click(mug, 'browser-new-tab'), 'ctrl+w'), 'ctrl+tab')
    expect([...alike.pages.keys()]).toEqual([2])
  })

  it('[WB10] begins a page afresh', () => {
    const typed = type(click(mug, 'note'), 'for Ada')
    expect(element(typed, 'note').value).toBe('for Ada')
    expect([key(typed, 'f5'), visit(typed, 'shop.test/products/tea')].map((run) => element(run, 'note').value)).toEqual(
      [null, null],
    )
  })

  it('[WB12] [WB13] [WB14] [WB15] finds pages, redirects, and says what is missing', () => {
    const shown = (address: string) => {
      const run = visit(start, address)
      return [browserOf(run).page, browserOf(run).title, urlOf(run)]
    }
    expect(
      ['shop.test/products/new', 'shop.test/products/pen', 'shop.test/a/b', 'nowhere.test/x', 'shop.test/old'].map(
        shown,
      ),
    ).toEqual([
      ['shop.test/products/new', 'New', 'https://shop.test/products/new'],
      ['shop.test not found', 'Nothing here', 'https://shop.test/products/pen'],
      ['shop.test not found', 'Nothing here', 'https://shop.test/a/b'],
      ['no site', 'nowhere.test', 'https://nowhere.test/x'],
      ['shop.test/cart', 'Cart', 'https://shop.test/cart'],
    ])
    expect(shown('shop.test/loop').slice(0, 2)).toEqual(['no site', 'This page redirects too often'])
    expect(pageOf(visit(start, 'bank.test/x'))).toEqual(['Page not found', 'There is no such page on bank.test.'])
    const login = visit(start, 'shop.test/account')
    expect([urlOf(login), browserOf(login).history]).toEqual([
      'https://shop.test/login?next=/account',
      ['https://shop.test/', 'https://shop.test/login?next=/account'],
    ])
    expect(urlOf(click(login, 'enter'))).toBe('https://shop.test/account')
  })

  it('[WB17] is not compared by changes that do not name it', () => {
    const differs = (exactly: readonly { readonly var: string; readonly to: unknown }[], run: ScenarioRun) =>
      evaluateChanges({ kind: 'changes', exactly, ignore: [] } as never, run).passed
    expect([differs([], mug), differs([{ var: 'browser.url', to: 'https://shop.test/' }], mug)]).toEqual([true, false])
  })

  it('[WB24] [WB6] adds and removes bookmarks, and follows them', () => {
    const added = key(mug, 'ctrl+d')
    expect(browserOf(added).bookmarks.map(({ title }) => title)).toEqual(['Bank', 'Product mug'])
    expect(browserOf(click(added, 'browser-bookmark')).bookmarks).toEqual(browserOf(mug).bookmarks)
    expect(urlOf(click(added, 'browser-bookmark-to-https___bank_test_pay'))).toBe('https://bank.test/pay')
  })

  it('[WB5] is the same when an earlier run goes on', () => {
    click(mug, 'buy')
    expect(stepScenario(click(mug, 'buy'), { type: 'tick', nowMs: 1000 }).run.desktop).toEqual(
      stepScenario(click(click(begin(SHOP), 'product-mug'), 'buy'), { type: 'tick', nowMs: 1000 }).run.desktop,
    )
  })
})

describe('a page', () => {
  it('[WB21] has bands above and below its content, which fills the rest', () => {
    const [header, content, footer] = nodeById(treeOf(begin(SHOP)), 'browser-page')!.children.map(
      ({ traits, bounds }) => ({
        look: traits?.look,
        top: bounds.y,
        bottom: bounds.y + bounds.height,
      }),
    )
    expect([header!.look, content!.look, footer!.look]).toEqual(['header', undefined, 'footer'])
    expect([content!.top, content!.bottom, footer!.bottom]).toEqual([header!.bottom, footer!.top, 700])
  })

  it('[WB22] scrolls with its bands', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `{role: Text, name: Line ${index}}`).join(', ')
    const run = begin(
      `sites: {s.test: {header: [{role: Text, name: Top}], footer: [{role: Text, name: End}], pages: {/: {title: S, children: [${lines}]}}}}
states: {a: {windows: [{browser: s.test, bounds: {x: 0, y: 0, width: 900, height: 700}}]}}`,
    )
    const partsOf = (at: ScenarioRun) => nodeById(treeOf(at), 'browser-page')!.children
    const scrolled = stepScenario(run, {
      type: 'action',
      action: { type: 'scroll', at: { x: 400, y: 400 }, clicks: -100 },
    }).run
    const [before, after] = [run, scrolled].map((at) => partsOf(at).map(({ bounds }) => bounds))
    const by = before![0]!.y - after![0]!.y
    expect([by > 0, after!.map(({ y }) => y + by), after!.at(-1)!.y + after!.at(-1)!.height]).toEqual([
      true,
      before!.map(({ y }) => y),
      700,
    ])
  })
})

describe('a browser in a variant', () => {
  it('[WB23] shows other texts at the same addresses', () => {
    const locales = 'locales: {de: {Tiny Shop: Kleiner Laden, "Product {{ id }}": "Ware {{ id }}", Note: Notiz}}'
    const scenario = parseScenario(`${SHOP}${locales}`, { variant: { locale: 'de' } })
    const start = startScenario(scenario, { atMs: 0 })
    const mug = click(start, 'product-mug')
    expect([browserOf(start).title, browserOf(mug).title, urlOf(mug), element(mug, 'note').name]).toEqual([
      'Kleiner Laden',
      'Ware mug',
      'https://shop.test/products/mug',
      'Notiz',
    ])
    expect(element(mug, 'browser-tab-1').value).toBe('https://shop.test/products/mug')
  })
})

describe('questions of a page', () => {
  const ASKING = `
vars: {orders: [{id: 1, title: Mug}, {id: 2, title: Tea}], name: ''}
sites:
  s.test:
    pages:
      /:
        title: Orders
        children:
          - {repeat: orders, as: order, id: order, role: Group, name: '{{ order.title }}', children: [{id: delete, role: Button, name: Delete}]}
          - {id: rename, role: Button, name: Rename}
          - {id: near, role: Button, name: Near}
          - {id: away, role: Hyperlink, name: Away, href: /away}
        reactions:
          - on: {tool: click_element, target_id: delete}
            set:
              - {browse: confirm, text: 'Delete {{ event.item.title }}?', accepted: {set: [{var: event.item, remove: true}, {browse: alert, text: Deleted.}]}, refused: {set: [{log: kept}]}}
              - {browse: alert, text: Too much}
          - {on: {tool: click_element, target_id: rename}, set: [{browse: prompt, text: Name?, value: Ada, accepted: {set: [{var: name, to: '{{ browser.dialog.value }}'}], transition_to: named}}]}
          - {on: {tool: click_element, target_id: near}, set: [{browse: ask, permission: location, accepted: {set: [{log: near}]}, refused: {set: [{log: far}]}}]}
      /away: {title: Away, redirect: '/orders/{{ orders[0].id }}/invoice'}
      /orders/{id}/invoice: {download: 'invoice/{{ id }}.txt', text: 'Invoice {{ id }}', found: 'orders.exists(o, string(o.id) == id)'}
states: {open: {windows: [{browser: s.test, bounds: {x: 0, y: 0, width: 900, height: 700}}]}, named: {windows: [{browser: s.test}]}}
`
  const start = begin(ASKING)
  const dialogOf = (run: ScenarioRun) => {
    const { open, text, answer } = browserOf(run).dialog
    return [open, text, answer, nodeById(treeOf(run), 'browser-dialog')?.name]
  }
  const logOf = (run: ScenarioRun) => entriesOf(run.log).map(({ name, fields }) => fields?.reason ?? name)

  it('[WB25] [WB26] [WB27] [WB28] are dialogs, after which effects follow', () => {
    const asked = click(start, 'order-1.delete')
    expect([dialogOf(asked), asked.desktop.windows[0]!.focus, logOf(asked)]).toEqual([
      [true, 'Delete Mug?', '', 's.test says'],
      'browser-dialog-ok',
      ['a dialog of the page is open'],
    ])
    expect(() => click(asked, 'rename')).toThrow('takes no input while a dialog of its window is open')
    const kept = key(asked, 'escape')
    expect([dialogOf(kept), logOf(kept).at(-1), kept.data.orders, kept.desktop.windows[0]!.focus]).toEqual([
      [false, 'Delete Mug?', 'cancel', undefined],
      'kept',
      start.data.orders,
      'order-1.delete',
    ])
    const deleted = click(asked, 'browser-dialog-ok')
    expect([deleted.data.orders, dialogOf(deleted)]).toEqual([
      [{ id: 2, title: 'Tea' }],
      [true, 'Deleted.', '', 's.test says'],
    ])
    expect(dialogOf(key(deleted, 'escape'))).toEqual(dialogOf(deleted))
    expect(dialogOf(key(deleted, 'enter'))).toEqual([false, 'Deleted.', 'ok', undefined])
    const typed = key(type(click(start, 'rename'), ' B'), 'enter')
    expect([typed.data.name, typed.state]).toEqual(['Ada B', 'named'])
    const left = stepScenario(visit(start, 's.test'), { type: 'tick', nowMs: 0 }).run
    expect([dialogOf(left), left.questions]).toEqual([dialogOf(start), { answered: [] }])
  })

  it('[WB29] [WB30] are permissions, which the browser remembers for each host', () => {
    const asked = click(start, 'near')
    expect([browserOf(asked).request, element(asked, 'browser-permission-text').name]).toEqual([
      { open: true, site: 's.test', permission: 'location' },
      's.test wants to know your location',
    ])
    const later = click(asked, 'browser-permission-close')
    expect([logOf(later), browserOf(later).permissions, browserOf(later).request.open]).toEqual([['far'], [], false])
    const allowed = click(asked, 'browser-permission-allow')
    expect([logOf(allowed), browserOf(allowed).permissions]).toEqual([
      ['near'],
      [{ id: 's.test location', site: 's.test', permission: 'location', state: 'allowed' }],
    ])
    expect(logOf(click(allowed, 'near'))).toEqual(['near', 'near'])
    const blocked = click(click(asked, 'browser-permission-block'), 'near')
    expect([logOf(blocked), browserOf(blocked).request.open]).toEqual([['far', 'far'], false])
    expect(browserOf(key(asked, 'f5')).request.open).toBe(false)
  })

  it('[WB31] [WB32] [WB33] are files that are downloaded', () => {
    const shownIn = (run: ScenarioRun) => nodeById(treeOf(run), 'browser-downloads-list') !== undefined
    expect([nodeById(treeOf(start), 'browser-downloads'), shownIn(key(start, 'ctrl+j'))]).toEqual([undefined, true])
    const twice = click(click(start, 'away'), 'away')
    expect([twice.desktop.files, urlOf(twice), browserOf(twice).history]).toEqual([
      { '/Downloads': null, '/Downloads/invoice_1.txt': 'Invoice 1', '/Downloads/invoice_1 (1).txt': 'Invoice 1' },
      'https://s.test/',
      ['https://s.test/'],
    ])
    const from = { url: 'https://s.test/orders/1/invoice', size: 9 }
    expect(browserOf(twice).downloads).toEqual([
      { id: 2, file: 'invoice_1 (1).txt', path: '/Downloads/invoice_1 (1).txt', ...from },
      { id: 1, file: 'invoice_1.txt', path: '/Downloads/invoice_1.txt', ...from },
    ])
    const listed = click(twice, 'browser-downloads')
    expect([element(listed, 'browser-download-2').name, shownIn(click(listed, 'browser-downloads-close'))]).toEqual([
      'invoice_1 (1).txt',
      false,
    ])
    expect(urlOf(visit(twice, 's.test/orders/9/invoice'))).toBe('https://s.test/orders/9/invoice')
    const without = key(
      type(
        key(begin(ASKING.replace('browser: s.test, b', 'browser: {tabs: [s.test], downloads: /home/}, b')), 'ctrl+l'),
        's.test/orders/2/invoice',
      ),
      'enter',
    )
    expect(Object.keys(without.desktop.files!)).toEqual(['/home', '/home/invoice_2.txt'])
  })
})

describe('addresses', () => {
  it('[WB4] are completed, and other schemes are none', () => {
    const read = [
      'shop.test',
      'shop.test:8080/a',
      'javascript:alert(1)',
      'two words',
      '',
      'https://[',
      `shop.test/${'x'.repeat(3000)}`,
    ]
    expect(read.map((text) => addressOf(text)?.href)).toEqual([
      'https://shop.test/',
      'https://shop.test:8080/a',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('[WB12] give decoded parameters, also where they are wrong', () => {
    const site = buildSites({ 's.test': { pages: { '/{a}/x': { title: '', query: { q: 'none' } } } } }).get('s.test')!
    const match = (path: string) => matchRoute(site, addressOf(`s.test${path}`)!)?.params
    expect([match('/%C3%A4/x?q=a+b'), match('/%/x/'), match('/a')]).toEqual([
      { a: 'ä', q: 'a b' },
      { a: '%', q: 'none' },
      undefined,
    ])
  })
})

describe('problems of sites', () => {
  const problems = (pages: string, { window = 'browser: s.test', more = '' } = {}): readonly string[] => {
    try {
      checkScenario(
        `sites: {s.test: {pages: {${pages}}}, t.test: {pages: {"/a/b": {title: x}}}}\nstates: {a: {windows: [{${window}}]}}\n${more}`,
        { file: 'f' },
      )
      return []
    } catch (error) {
      return (error as Error).message.split('\n').filter((line) => /^f:\d/.test(line))
    }
  }
  const link = (href: string) =>
    problems(`"/": {title: x, children: [{role: Hyperlink, name: x, href: '${href}'}]}, "/o/{id}": {title: x}`)

  it('[WB19] are links that nothing answers', () => {
    expect([link('/o/1'), link('o/{{ 1 }}'), link('https://t.test/a/b?x=1'), link('{{ "x" }}')]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect([link('/p/1'), link('/o'), link('https://u.test/'), link('t.test/a/b')].map(([first]) => first)).toEqual([
      expect.stringContaining('s.test has no page /p/1; its pages are /, /o/{id}'),
      expect.stringContaining('s.test has no page /o'),
      expect.stringContaining('there is no site u.test; did you mean "s.test"?'),
      expect.stringContaining('s.test has no page t.test/a/b; write https://t.test/a/b for another site'),
    ])
    expect(problems(`"/": {title: x, redirect: {to: /b, when: 1 > 2}}`)[0]).toContain('s.test has no page /b')
    const reaction = (to: string) =>
      problems(`"/": {title: x}`, { more: `reactions: [{on: {tool: click_element}, set: [{navigate: ${to}}]}]` })
    expect([reaction('/a/b'), reaction('/c')[0]]).toEqual([[], expect.stringContaining('no site has page /c')])
  })

  it('[WB20] [WB34] are paths, titles, parameters and windows', () => {
    expect(
      [
        problems(`"/o/{id}": {title: x}, "/o/{n}": {title: x}`),
        problems(`"/": {}`),
        problems(`"/o/{a b}": {title: x}`),
        problems(`"/o/x{id}": {title: x}`),
        problems(`"/o/": {title: x}`),
        problems(`"/{id}": {title: x, query: {id: ''}}`),
        problems(`"/o/{id}": {title: '{{ order }}'}`),
        problems(`"/o/{id}": {title: x}`, { more: 'vars: {id: 1}' }),
        problems(`"/": {title: x}`, { window: 'uid: a' }),
        problems(`"/": {title: x}`, { window: 'browser: v.test' }),
        problems(`"/": {title: x}`, { window: 'browser: s.test, tree: {role: Window}' }),
        problems(`"/": {title: x, children: [{role: Text, name: x, href: /}]}`),
        problems(`"/": {title: x}`, { more: 'vars: {browser: 1}' }),
      ].map(([first]) => first?.replace(/^f:\S+ /, '').replace(/^error: /, '')),
    ).toEqual([
      expect.stringContaining('/o/{n} and /o/{id} are the same addresses of s.test'),
      expect.stringContaining('the page / has no title'),
      expect.stringContaining('"a b" is not a name'),
      expect.stringContaining('a parameter of /o/x{id} is a part of its own'),
      expect.stringContaining('"/o/" is not the path of a page'),
      expect.stringContaining('/{id} has two parameters id'),
      expect.stringContaining('unknown name "order"'),
      expect.stringContaining('id already has a meaning here'),
      expect.stringContaining('no window shows these sites'),
      expect.stringContaining('expected the address of a site: s.test, t.test'),
      expect.stringContaining('browser makes the elements of this window'),
      expect.stringContaining('can have href, and this is a Text'),
      expect.stringContaining('browser is the variable of the window that shows the sites'),
    ])
    const effect = (set: string) =>
      problems(`"/": {title: x, reactions: [{on: {tool: click_element}, set: [${set}]}]}`).map((line) =>
        line.replace(/^f:\S+ /, ''),
      )
    expect(
      [
        effect('{browse: confirm}'),
        effect('{browse: ask, permission: location, text: x}'),
        effect('{browse: alert, text: x, refused: {set: [{log: y}]}}'),
        effect('{browse: prompt, text: x, accepted: {set: [{navigate: /b}]}}'),
        problems(`"/": {download: x.txt, title: x, children: []}`),
        problems(`"/": {title: x, text: y}`),
      ].map(([first]) => first),
    ).toEqual([
      expect.stringContaining('confirm needs text'),
      expect.stringContaining('ask has no text; alert, confirm, prompt may'),
      expect.stringContaining('alert has no refused; confirm, prompt, ask may'),
      expect.stringContaining('s.test has no page /b'),
      expect.stringContaining('/ is a file to download and has no title'),
      expect.stringContaining('text is that of a file; add download with its name'),
    ])
    const alone = (text: string) => {
      try {
        checkScenario(text)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(alone('states: {a: {windows: [{browser: s.test}]}}')).toContain('there are no sites that it could show')
    expect(alone('states: {a: {}}\nreactions: [{on: {tool: click_element}, set: [{browse: back}]}]')).toContain(
      'there is no browser',
    )
  })
})
