import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import { ask, eachNode, expectCode, nodesOf, onData, onError, refsOf, takeSnapshot } from '../driver.ts'

const NEEDS = ['process:success', 'snapshot:data']

const STATES = new Set(
  'focused disabled secure expanded checked selected hidden busy modal required indeterminate pressed readonly offscreen invalid multiselectable haspopup'.split(
    ' ',
  ),
)
const ACTIONS = new Set(
  'Click RightClick SetValue SetFocus Expand Collapse Select Toggle Scroll ScrollTo PressKey KeyDown KeyUp TypeText Hover Drag Check Uncheck'.split(
    ' ',
  ),
)
/** The roles that have a ref whatever they can do. */
const INTERACTIVE = new Set(
  'button cell checkbox colorwell combobox dockitem incrementor link listbox menubutton menuitem option radiobutton slider switch tab textfield treeitem'.split(
    ' ',
  ),
)
const SKELETON_DEPTH = 3

/** Trees, their flags and their refs. */
export const snapshotRules = defineRules('snapshot', {
  data: {
    level: 'MUST',
    text: 'A snapshot has the app, the window, the number of refs, its id, whether it is complete, and the tree.',
    source: sources.snapshot,
    basis: { states: 'The data are app, window with id and title, ref_count, snapshot_id, complete and tree.' },
    covers: ['AD-S1'],
    needs: ['process:success'],
    check: async (context) => void (await takeSnapshot(context)),
    sabotage: {
      'omits the id of snapshots': onData('snapshot', (data) => {
        delete data.snapshot_id
      }),
      'omits whether snapshots are complete': onData('snapshot', (data) => {
        delete data.complete
      }),
    },
  },

  window: {
    level: 'MUST',
    text: 'The id of a window begins with w-.',
    source: sources.snapshot,
    basis: { states: 'The window of a snapshot has an id that begins with w-.' },
    covers: ['AD-S1', 'AD-X5'],
    needs: NEEDS,
    check: async (context) => assert.match((await takeSnapshot(context)).window.id, /^w-./),
    sabotage: {
      'numbers windows': onData('snapshot', (data) => {
        data.window.id = '1'
      }),
    },
  },

  states: {
    level: 'MUST',
    text: 'States and actions have the names of the document.',
    source: sources.snapshot,
    basis: { states: 'The states and the actions of nodes are listed.' },
    covers: ['AD-S2'],
    needs: NEEDS,
    check: async (context) => {
      for (const { states = [], available_actions: actions = [] } of nodesOf((await takeSnapshot(context)).tree)) {
        for (const state of states) assert.ok(STATES.has(state), `${state} is not a known state`)
        for (const action of actions) assert.ok(ACTIONS.has(action), `${action} is not a known action`)
      }
    },
    sabotage: {
      'says enabled of elements': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          node.states = [...(node.states ?? []), 'enabled']
        })
      }),
      'names actions in lower case': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          node.available_actions = node.available_actions?.map((action: string) => action.toLowerCase())
        })
      }),
    },
  },

  empty: {
    level: 'SHOULD',
    text: 'Empty values of nodes are left out.',
    source: sources.snapshot,
    basis: { states: 'The keys of nodes are left out when they are empty.' },
    covers: ['AD-S2'],
    needs: NEEDS,
    check: async (context) => {
      for (const node of nodesOf((await takeSnapshot(context)).tree))
        for (const [key, value] of Object.entries(node))
          assert.ok(value !== '' && !(Array.isArray(value) && value.length === 0), `${node.role} has an empty ${key}`)
    },
    sabotage: {
      'prints empty lists of states': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          node.states ??= []
        })
      }),
    },
  },

  refs: {
    level: 'MUST',
    text: 'A ref names its snapshot and a number; numbers count from 1, depth first.',
    source: sources.refs,
    basis: { states: 'Refs are @SNAPSHOT:eN; N counts from 1 in pre-order, one counter per snapshot.' },
    covers: ['AD-R1'],
    needs: NEEDS,
    check: async (context) => {
      const snapshot = await takeSnapshot(context)
      const refs = refsOf(snapshot)
      assert.deepEqual(
        refs,
        refs.map((_, at) => `@${snapshot.snapshot_id}:e${at + 1}`),
        'the refs of the tree',
      )
      assertAgree({ ref_count: snapshot.ref_count, 'the tree': refs.length }, 'the number of refs')
    },
    sabotage: {
      'counts refs from 0': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          node.ref_id &&= node.ref_id.replace(/\d+$/, (digits: string) => String(Number(digits) - 1))
        })
      }),
      'prints refs without their snapshot': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          node.ref_id &&= node.ref_id.replace(/^@.*:/, '@')
        })
      }),
      'counts no refs': onData('snapshot', (data) => {
        data.ref_count = 0
      }),
    },
  },

  interactive: {
    level: 'MUST',
    text: 'Every element of an interactive role has a ref, and texts have none.',
    source: sources.refs,
    basis: { states: 'Elements of eighteen roles, or with an action of more than focus, have refs; texts have none.' },
    covers: ['AD-R2'],
    needs: NEEDS,
    check: async (context) => {
      const nodes = nodesOf((await takeSnapshot(context)).tree)
      const bare = nodes.find(({ role, ref_id }) => INTERACTIVE.has(role) && ref_id === undefined)
      assert.equal(bare, undefined, `a ${bare?.role} has no ref`)
      const text = nodes.find(({ role, ref_id }) => role === 'statictext' && ref_id !== undefined)
      assert.equal(text, undefined, 'a text has a ref')
    },
    sabotage: {
      'gives check boxes no refs': {
        ...onData('snapshot', (data) => {
          eachNode(data.tree, (node) => {
            if (node.role === 'checkbox') delete node.ref_id
          })
        }),
        alsoBreaks: ['snapshot:refs', 'action:toggle'],
      },
    },
  },

  fresh: {
    level: 'MUST',
    text: 'Each snapshot has an id of its own.',
    source: sources.refs,
    basis: { states: 'A snapshot id is a hash of its own snapshot.' },
    covers: ['AD-S1', 'AD-R1'],
    needs: NEEDS,
    check: async (context) =>
      assert.notEqual(
        (await takeSnapshot(context)).snapshot_id,
        (await takeSnapshot(context)).snapshot_id,
        'both have one id',
      ),
    sabotage: {
      'gives all snapshots one id': {
        ...onData('snapshot', (data) => {
          data.snapshot_id = 'sone'
        }),
        alsoBreaks: ['snapshot:refs', 'error:number'],
      },
    },
  },

  flags: {
    level: 'MUST',
    text: '--interactive-only and --compact leave nodes out and change no number.',
    source: sources.snapshot,
    basis: { states: 'What the two flags drop never has a ref, so that they do not change numbers.' },
    covers: ['AD-S4', 'AD-R1'],
    needs: [...NEEDS, 'snapshot:refs'],
    check: async (context) => {
      const named = async (...flags: readonly string[]) =>
        nodesOf((await takeSnapshot(context, ...flags)).tree).flatMap(({ ref_id, role, name }) =>
          ref_id === undefined ? [] : [`${ref_id.replace(/^.*:/, '')} ${role} ${name ?? ''}`],
        )
      const all = await named()
      for (const flags of [['-i'], ['--compact'], ['--interactive-only', '--compact']])
        assert.deepEqual(await named(...flags), all, `the refs with ${flags.join(' ')}`)
    },
    sabotage: {
      'drops text fields from compact snapshots': onData('snapshot', (data, { words }) => {
        if (!words.includes('--compact')) return
        eachNode(data.tree, (node) => {
          node.children = node.children?.filter(({ role }: { role: string }) => role !== 'textfield')
        })
      }),
    },
  },

  leaves: {
    level: 'MUST',
    text: '--interactive-only drops leaves without a ref.',
    source: sources.snapshot,
    basis: { states: '--interactive-only drops a leaf without a ref, children and children_count.' },
    covers: ['AD-S4'],
    needs: NEEDS,
    check: async (context) => {
      const nodes = nodesOf((await takeSnapshot(context, '--interactive-only')).tree)
      const leaf = nodes.find(
        ({ ref_id, children = [], children_count }) =>
          ref_id === undefined && children.length === 0 && children_count === undefined,
      )
      assert.equal(leaf, undefined, `a ${leaf?.role} is a leaf without a ref`)
    },
    sabotage: {
      'keeps texts in interactive snapshots': onData('snapshot', (data, { words }) => {
        if (words.includes('--interactive-only')) data.tree.children?.push({ role: 'statictext', name: 'Ready' })
      }),
    },
  },

  bounds: {
    level: 'MUST',
    text: 'Nodes have bounds with --include-bounds only.',
    source: sources.snapshot,
    basis: { states: 'bounds are there with --include-bounds only.' },
    covers: ['AD-S3'],
    needs: NEEDS,
    check: async (context) => {
      const bounded = async (...flags: readonly string[]) =>
        nodesOf((await takeSnapshot(context, ...flags)).tree).filter(({ bounds }) => bounds !== undefined).length
      assert.equal(await bounded(), 0, 'nodes with bounds')
      assert.ok((await bounded('--include-bounds')) > 0, 'no node has bounds with --include-bounds')
    },
    sabotage: {
      'always prints bounds': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          node.bounds ??= { x: 0, y: 0, width: 1, height: 1 }
        })
      }),
      'never prints bounds': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          delete node.bounds
        })
      }),
    },
  },

  skeleton: {
    level: 'MUST',
    text: '--skeleton ends after three levels, and counts the children below.',
    source: sources.snapshot,
    basis: { states: 'The depth of a skeleton is at most 3; nodes at the cut have children_count.' },
    covers: ['AD-S5'],
    needs: NEEDS,
    check: async (context) => {
      const { tree } = await takeSnapshot(context, '--skeleton')
      const depthOf = ({ children = [] }: typeof tree): number => 1 + Math.max(-1, ...children.map(depthOf))
      assert.ok(depthOf(tree) <= SKELETON_DEPTH, `the tree has ${depthOf(tree)} levels below its root`)
      const whole = await takeSnapshot(context)
      const isCut = nodesOf(whole.tree).length > nodesOf(tree).length
      const counted = nodesOf(tree).some(({ children_count: count }) => (count ?? 0) > 0)
      assert.equal(counted, isCut, 'nodes at the cut count their children')
    },
    sabotage: {
      'does not count what a skeleton cuts': onData('snapshot', (data) => {
        eachNode(data.tree, (node) => {
          delete node.children_count
        })
      }),
    },
  },

  bare: {
    level: 'SHOULD',
    text: 'A ref without its snapshot is refused.',
    source: sources.refs,
    basis: { states: 'Bare refs are refused with INVALID_ARGS in version 1.' },
    covers: ['AD-R1', 'AD-E11'],
    check: async (context) => expectCode(context, 'INVALID_ARGS', 'click', '@e1'),
    sabotage: {
      'calls bare refs stale': onError('INVALID_ARGS', (error, { words }) => {
        if (words[1] === '@e1') error.code = 'STALE_REF'
      }),
    },
  },

  sessions: {
    level: 'MUST',
    text: 'The snapshots of a session are not seen in another.',
    source: sources.table,
    basis: { states: 'The latest snapshot of session A is invisible to B; no search goes across sessions.' },
    covers: ['AD-R4'],
    needs: NEEDS,
    check: async (context) => {
      const Started = z.looseObject({ session_id: z.string() })
      const { session_id: a } = await ask(context, Started, 'session', 'start')
      const { session_id: b } = await ask(context, Started, 'session', 'start')
      const [ref = ''] = refsOf(await takeSnapshot(context, '--session', a))
      await expectCode(context, 'SNAPSHOT_NOT_FOUND', 'get', ref, '--property', 'role', '--session', b)
    },
    sabotage: {
      'calls refs of other sessions stale': onError('SNAPSHOT_NOT_FOUND', (error, { words }) => {
        if (words.includes('--session')) error.code = 'STALE_REF'
      }),
    },
  },
})
