import assert from 'node:assert/strict'
import { assertAgree } from '../../compare/differences.ts'
import { notOffered } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  anyTree,
  assertRefusal,
  chooseNodes,
  findElement,
  getTree,
  isPlain,
  loadScenario,
  parseSuccess,
  toQuery,
} from '../driver.ts'
import { changeFoundSelector } from '../sabotage.ts'
import { FoundElement, type Node } from '../shapes.ts'
import { nodesOf, type Placed, roleIndex } from '../tree.ts'

/** Fails unless the selector finds exactly the expected nodes, in any order. No expected node means ElementNotFound. */
async function assertFinds(
  context: TestContext,
  uid: string,
  selector: string,
  expected: readonly Placed[],
): Promise<void> {
  const answer = await context.http.get(`/api/find_element${toQuery({ selector, window_uid: uid })}`)
  if (expected.length === 0) return void assertRefusal(answer, 'ElementNotFound')
  const { all_matches, ambiguous_matches } = parseSuccess(answer, FoundElement)
  const ids = expected.map(({ node }) => node.id)
  const found = all_matches.map((match) => match.element_id)
  // Servers may list only the first matches; the reference server lists ten.
  if (ids.length <= 10) assert.deepEqual([...found].sort(), [...ids].sort(), `${selector} finds other elements`)
  for (const id of found) assert.ok(ids.includes(id), `${selector} finds ${id}`)
  assert.ok(ambiguous_matches === ids.length || ids.length > 10, `${selector} counts ${ambiguous_matches} matches`)
}

const below = (root: Placed, placed: readonly Placed[]) =>
  placed.filter(
    (one) => one !== root && one.path.length > root.path.length && root.path.every((step, at) => one.path[at] === step),
  )

const rolesTo = (one: Placed): readonly string[] =>
  one.parent ? [...rolesTo(one.parent), one.node.role] : [one.node.role]

/** The roles on the way to an element, and the same without a generation, which lead elsewhere or nowhere. */
const waysTo = (one: Placed): readonly (readonly string[])[] => [rolesTo(one), rolesTo(one).toSpliced(1, 1)]

const sameRoles = (placed: readonly Placed[], roles: readonly string[]) =>
  placed.filter((one) => JSON.stringify(rolesTo(one)) === JSON.stringify(roles))

/** Checks `//*[predicate]` against the nodes the predicate means. */
async function assertPredicate(
  context: TestContext,
  predicate: (one: Placed) => string,
  means: (node: Node, like: Node) => boolean,
) {
  const { uid, placed } = await anyTree(context)
  for (const like of chooseNodes(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node), 5))
    await assertFinds(
      context,
      uid,
      `//${like.node.role}${predicate(like)}`,
      below(placed[0]!, placed).filter((one) => one.node.role === like.node.role && means(one.node, like.node)),
    )
}

/** Checks a selector for the n-th sibling of a role against the tree. */
async function assertPlaces(context: TestContext, spell: (role: string, index: number) => string): Promise<void> {
  const { uid, placed } = await anyTree(context)
  const root = placed[0]!.node.role
  for (const one of chooseNodes(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node), 6)) {
    const index = roleIndex(one)
    await assertFinds(
      context,
      uid,
      `${root} ${spell(one.node.role, index)}`,
      placed.filter((other) => other.parent && other.node.role === one.node.role && roleIndex(other) === index),
    )
  }
}

/** The names of the elements that a selector finds, sorted. */
async function namesFound(http: HttpProbe, selector: string): Promise<readonly string[]> {
  const { all_matches } = await findElement(http, selector)
  return all_matches.map(({ name }) => name).sort()
}

/** Ignores one predicate of selectors. */
const ignores = (predicate: string) =>
  changeFoundSelector((selector) => selector.replace(new RegExp(`\\[${predicate}=[^\\]]*\\]`), ''))

/** Changes all selectors of a request. */
const selectors = (change: (selector: string) => string): SabotageBehavior => ({
  changeRequest: (request) => {
    const url = new URL(request.path, 'http://host')
    const selector = url.searchParams.get('selector')
    if (selector === null) return
    url.searchParams.set('selector', change(selector))
    request.path = url.pathname + url.search
  },
})

/** The grammar of selectors. */
export const selectorRules = defineRules('selector', ['find:element'], {
  path: {
    level: 'MUST',
    text: 'Roles joined by / step from parent to child.',
    source: sources.grammar,
    basis: { states: 'XPath-ish selectors join roles by /, as in Window/Pane/Button.' },
    covers: ['O-S1'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const deep = chooseNodes(context, placed, ({ path, node }) => path.length >= 2 && isPlain(node))
      for (const roles of deep.flatMap(waysTo))
        await assertFinds(context, uid, roles.join('/'), sameRoles(placed, roles))
    },
    sabotage: {
      'steps over generations': changeFoundSelector((selector) => selector.replace(/(?<=\w)\/(?=\w)/g, ' ')),
    },
  },

  child: {
    level: 'MUST',
    text: 'Roles joined by > step from parent to child.',
    source: sources.grammar,
    basis: { states: 'CSS-ish selectors use > as a combinator.' },
    covers: ['O-S2'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const deep = chooseNodes(context, placed, ({ path, node }) => path.length >= 2 && isPlain(node))
      for (const roles of deep.flatMap(waysTo))
        await assertFinds(context, uid, roles.join(' > '), sameRoles(placed, roles))
    },
    sabotage: {
      'takes grandchildren for children': changeFoundSelector((selector) => selector.replaceAll(' > ', ' ')),
    },
  },

  descendant: {
    level: 'MUST',
    text: 'Roles joined by blanks step to any descendant.',
    source: sources.grammar,
    basis: { states: 'CSS-ish selectors use white space as a combinator.' },
    covers: ['O-S2'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const root = placed[0]!
      for (const { node } of chooseNodes(context, placed, ({ path, node }) => path.length >= 2 && isPlain(node)))
        await assertFinds(
          context,
          uid,
          `${root.node.role} ${node.role}`,
          below(root, placed).filter((one) => one.node.role === node.role),
        )
    },
    sabotage: {
      'descends one level': changeFoundSelector((selector) => selector.replace(/^(\w+) (\w+)$/, '$1 > $2')),
    },
  },

  name: {
    level: 'MUST',
    text: 'name= compares whole names.',
    source: sources.grammar,
    basis: { states: 'name= is a predicate.' },
    covers: ['O-S3'],
    check: async (context) => {
      await assertPredicate(
        context,
        ({ node }) => `[name="${node.name}"]`,
        (node, like) => node.name === like.name,
      )
      await assertPredicate(
        context,
        ({ node }) => `[name="${node.name.slice(1)}"]`,
        (node, like) => node.name === like.name.slice(1),
      )
    },
    sabotage: {
      'compares the ends of names': changeFoundSelector((selector) => selector.replace('[name="', '[name~=".*')),
    },
  },

  'name-regex': {
    level: 'MUST',
    text: 'name~= matches an expression against the whole name.',
    source: sources.grammar,
    basis: { states: 'name~= is an expression that has to match in full.' },
    covers: ['O-S4'],
    check: async (context) => {
      await assertPredicate(
        context,
        ({ node }) => `[name~="${node.name.slice(0, 2)}.*"]`,
        (node, like) => node.name.startsWith(like.name.slice(0, 2)),
      )
      await assertPredicate(
        context,
        ({ node }) => `[name~="${node.name.slice(0, 2)}"]`,
        (node, like) => node.name === like.name.slice(0, 2),
      )
    },
    sabotage: {
      'compares the beginnings of names': changeFoundSelector((selector) =>
        selector.replace(/(\[name~="[^"]*)"/, '$1.*"'),
      ),
    },
  },

  value: {
    level: 'MUST',
    text: 'value= compares values.',
    source: sources.grammar,
    basis: { states: 'value= and value~= are predicates.' },
    covers: ['O-S5'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const isValue = ({ node }: Placed) => /^[\w .]{1,60}$/.test(node.value ?? '')
      for (const { node } of chooseNodes(context, placed, isValue))
        await assertFinds(
          context,
          uid,
          `//${node.role}[value="${node.value}"]`,
          placed.filter((one) => one.parent && one.node.role === node.role && one.node.value === node.value),
        )
    },
    sabotage: {
      'compares no values': ignores('value'),
    },
  },

  role: {
    level: 'MUST',
    text: 'role= compares roles.',
    source: sources.grammar,
    basis: { states: 'role= is a predicate.' },
    covers: ['O-S6'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      for (const { node } of chooseNodes(context, placed, ({ node, parent }) => parent !== undefined && isPlain(node)))
        await assertFinds(
          context,
          uid,
          `//*[role="${node.role}"]`,
          placed.filter((one) => one.parent && one.node.role === node.role),
        )
    },
    sabotage: {
      'compares no roles': ignores('role'),
    },
  },

  shortcut: {
    level: 'MUST',
    text: 'keyboard_shortcut= compares shortcuts.',
    source: sources.grammar,
    basis: { states: 'keyboard_shortcut= is a predicate.' },
    covers: ['O-S7'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const shortcuts = ['ctrl+shift+f12', ...placed.flatMap(({ node }) => node.keyboard_shortcut ?? [])]
      for (const shortcut of new Set(shortcuts))
        await assertFinds(
          context,
          uid,
          `//*[keyboard_shortcut="${shortcut}"]`,
          placed.filter((one) => one.parent && one.node.keyboard_shortcut === shortcut),
        )
    },
    sabotage: {
      'compares no shortcuts': ignores('keyboard_shortcut'),
    },
  },

  enabled: {
    level: 'MUST',
    text: 'enabled=true and enabled=false part the elements.',
    source: sources.grammar,
    basis: { states: 'enabled=true and enabled=false are predicates.' },
    covers: ['O-S8'],
    check: async (context) => {
      for (const enabled of [true, false])
        await assertPredicate(
          context,
          () => `[enabled=${enabled}]`,
          (node) => node.enabled === enabled,
        )
    },
    sabotage: {
      'finds what is disabled as well': ignores('enabled'),
    },
  },

  focused: {
    level: 'MUST',
    text: 'focused=true finds the focused element.',
    source: sources.grammar,
    basis: { states: 'focused=true and focused=false are predicates.' },
    covers: ['O-S9'],
    check: async (context) => {
      for (const focused of [true, false])
        await assertPredicate(
          context,
          () => `[focused=${focused}]`,
          (node) => node.focused === focused,
        )
    },
    sabotage: {
      'finds what has no focus as well': ignores('focused'),
    },
  },

  index: {
    level: 'SHOULD',
    text: 'index=N is the place, from 0, among siblings of the same role.',
    source: sources.grammar,
    basis: {
      because:
        'The document lists index=N and leaves open where it counts from; clients rely on 0 among siblings of a role.',
    },
    covers: ['O-S10'],
    check: (context) => assertPlaces(context, (role, index) => `${role}[index=${index}]`),
    sabotage: {
      'counts siblings from 1': changeFoundSelector((selector) =>
        selector.replace(/\[index=(\d+)\]/, (_, index: string) => `[index=${Number(index) + 1}]`),
      ),
    },
  },

  nth: {
    level: 'MUST',
    text: ':nth-of-type(N) is the same place, from 1.',
    source: sources.grammar,
    basis: { states: ':nth-of-type(N) of CSS is accepted.' },
    covers: ['O-S11'],
    check: (context) => assertPlaces(context, (role, index) => `${role}:nth-of-type(${index + 1})`),
    sabotage: {
      'counts siblings of a type from 0': changeFoundSelector((selector) =>
        selector.replace(/nth-of-type\((\d+)\)/, (_, nth: string) => `nth-of-type(${Number(nth) + 1})`),
      ),
    },
  },

  'value-regex': {
    level: 'MUST',
    text: 'value~= matches an expression against the value.',
    source: sources.grammar,
    basis: { states: 'value= and value~= are predicates.' },
    covers: ['O-S12'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const isValue = ({ node }: Placed) => /^\w{2}[\w ]{0,60}$/.test(node.value ?? '')
      for (const { node } of chooseNodes(context, placed, isValue)) {
        const start = node.value!.slice(0, 2)
        const like = (fits: (value: string) => boolean) =>
          placed.filter((one) => one.parent && one.node.role === node.role && fits(one.node.value ?? ''))
        const whole = like((value) => value.startsWith(start) && !value.includes('\n'))
        await assertFinds(context, uid, `//${node.role}[value~="${start}.*"]`, whole)
        const part = like((value) => value === start)
        await assertFinds(context, uid, `//${node.role}[value~="${start}"]`, part)
      }
    },
    sabotage: {
      'finds parts of values': selectors((text) => text.replace(/(value~="[^"]*)"/, '$1.*"')),
    },
  },

  mixed: {
    level: 'MUST',
    text: 'Combinators > and blank go together in one selector.',
    source: sources.grammar,
    basis: { states: 'The sample of CSS-ish selectors is Window > Pane Button[name~="Save.*"].' },
    covers: ['O-S2', 'O-S4'],
    check: async (context) => {
      const { uid, placed } = await anyTree(context)
      const root = placed[0]!
      const isDeep = ({ path, node }: Placed) => path.length >= 2 && isPlain(node) && /^\w{2}/.test(node.name)
      for (const { node, path } of chooseNodes(context, placed, isDeep)) {
        const child = placed.find((one) => one.path.length === 1 && one.path[0] === path[0])!
        if (!/^\w+$/.test(child.node.role)) continue
        const start = node.name.slice(0, 2)
        const holders = placed.filter((one) => one.path.length === 1 && one.node.role === child.node.role)
        const expected = holders
          .flatMap((holder) => below(holder, placed))
          .filter((one) => one.node.role === node.role && one.node.name.startsWith(start))
        const selector = `${root.node.role} > ${child.node.role} ${node.role}[name~="${start}.*"]`
        await assertFinds(context, uid, selector, expected)
      }
    },
    sabotage: {
      'takes grandchildren where combinators mix': {
        changeResponse: (response, request) => {
          if (/> \w+ \w/.test(decodeURIComponent(request.path).replaceAll('+', ' '))) response.status = 400
        },
      },
    },
  },

  steps: {
    level: 'SHOULD',
    text: 'Every step may have predicates, and names in quotes may hold / and >.',
    source: sources.grammar,
    basis: { because: 'The samples have predicates at their ends only; the grammar does not forbid them elsewhere.' },
    covers: ['O-S1', 'O-S2', 'O-S3'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'edges')
      const { http } = context
      const odd = 'In/Out > all'
      for (const [selector, names] of [
        ['Pane[name="Inner pane"] Button[name="Inner"]', ['Inner', 'Inner']],
        ['Window[name="Edges"] > Button[name="Gray"]', ['Gray']],
        ['Window[name="Edges"]/Pane[name="Inner pane"]/Button', ['Inner', 'Inner']],
        [`Window/Button[name="${odd}"]`, [odd]],
        [`Window > Button[name="${odd}"]`, [odd]],
        [`Window Button[name="${odd}"]`, [odd]],
      ] as const)
        assert.deepEqual(await namesFound(http, selector), names, selector)
    },
    sabotage: {
      'splits names at slashes': {
        changeResponse: (response, request) => {
          if (decodeURIComponent(request.path).includes('In/Out')) response.status = 400
        },
      },
    },
  },

  quoted: {
    level: 'SHOULD',
    text: 'enabled="false" in quotes is not enabled=true.',
    source: sources.grammar,
    basis: { because: 'The document writes truth values without quotes; taken for true it would find the opposite.' },
    covers: ['O-S8'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'edges')
      const selector = '//Button[enabled="false"]'
      const answer = await context.http.get(`/api/find_element${toQuery({ selector })}`)
      if (answer.status !== 200) return
      const found = parseSuccess(answer, FoundElement).all_matches.map(({ name }) => name)
      assert.ok(!found.includes('In/Out > all'), `${selector} finds a button that is enabled`)
    },
    sabotage: {
      'takes "false" for true': selectors((text) => text.replace('enabled="false"', 'enabled=true')),
    },
  },

  selected: {
    level: 'SHOULD',
    text: 'selected=true matches the elements that the tree reports as selected.',
    source: sources.grammar,
    basis: {
      because: 'The document does not list the predicate; a tree that reports the state can be queried for it.',
    },
    covers: ['O-S8'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'edges')
      const { http } = context
      await actOnElement(http, 'click', { selector: 'CheckBox[name="Box"]' })
      const isSelected = (node: object) => 'selected' in node && node.selected === true
      const selected = nodesOf((await getTree(http)).tree).filter(isSelected)
      if (selected.length === 0) notOffered('no tree reports the selected state')
      const { all_matches } = await findElement(http, '//CheckBox[selected=true]')
      assertAgree(
        { all_matches: all_matches.map(({ element_id }) => element_id), 'the tree': selected.map(({ id }) => id) },
        'the elements',
      )
    },
    sabotage: {
      'finds what is not selected': selectors((text) => text.replace('selected=true', 'selected=false')),
    },
  },
})
