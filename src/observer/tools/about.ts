import * as z from 'zod'
import { missingCapabilities } from '../../adapters/capabilities.ts'
import { countNodes } from '../../desktop/model/element.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import { countNamed } from '../tree-cache.ts'
import { Bounds, scaleBounds } from '../wire.ts'

/** The version of the observer protocol. */
const PROTOCOL_VERSION = 2

const Monitor = z
  .object({
    index: z.int(),
    primary: z.boolean(),
    bounds: Bounds,
    scale_factor: z.number(),
    logical_bounds: Bounds,
    physical_bounds: Bounds,
  })
  .meta({ id: 'Monitor' })

const getCapabilities = defineTool({
  name: 'get_capabilities',
  kind: 'look',
  summary: 'Get the capabilities of the server and its computer.',
  input: z.object({}),
  output: z.object({
    platform: z.string(),
    adapter: z.string(),
    version: z.string(),
    protocol_version: z.int(),
    supports: z.record(z.string(), z.boolean()),
    unsupported: z
      .record(z.string(), z.string())
      .optional()
      .describe('What the computer cannot do, with the reason; absent when it can do everything'),
    notice: z.string().optional().describe('What everyone who uses this computer should know'),
    config: z.object({
      tree_max_depth: z.int(),
      tree_default_depth: z.int(),
      ascii_grid: z.object({ width: z.int(), height: z.int() }),
    }),
    tree_stats: z
      .record(
        z.string(),
        z.object({ node_count: z.int(), named_node_count: z.int(), capture_ms: z.number(), captured_at: z.number() }),
      )
      .describe('The last capture of each window, by uid'),
  }),
  faults: [],
  traits: { alwaysAllowed: true, idempotent: true },
  run: (_, context: ContextOf<'computer' | 'settings' | 'perception' | 'trees' | 'version'>) => {
    const { info } = context.computer
    const unsupported = missingCapabilities(info.supports)
    const { tree, ascii_sketch, ocr } = context.settings
    return {
      platform: info.platform,
      adapter: info.adapter,
      version: context.version,
      protocol_version: PROTOCOL_VERSION,
      supports: {
        accessibility_tree: info.supports.accessibility_tree === true,
        uia_invoke: info.supports.native_actions === true,
        occlusion_detection: info.supports.stacking_order === true,
        drag: info.supports.drag === true,
        // Extensions of the document: the tools of `mouse.ts`, `keyboard.ts` and `capture.ts`.
        primitive_input: info.supports.primitive_input === true,
        ocr: ocr.enabled && context.perception.ocr !== undefined,
        vlm: context.perception.vision !== undefined,
        redaction: true,
        scenarios: info.synthetic,
        tracing: true,
        replay: true,
        image_blur: true,
        bring_to_foreground: true,
        element_targeting: true,
        observe_with_diff: true,
        wsl_powershell: false,
      },
      ...(Object.keys(unsupported).length > 0 && { unsupported }),
      ...(info.notice !== undefined && { notice: info.notice }),
      config: {
        tree_max_depth: tree.max_depth,
        tree_default_depth: tree.default_depth,
        ascii_grid: { width: ascii_sketch.grid_width, height: ascii_sketch.grid_height },
      },
      tree_stats: Object.fromEntries(
        [...context.trees.captures].map(([uid, { tree, tookMs, atMs }]) => [
          uid,
          {
            node_count: countNodes(tree),
            named_node_count: countNamed(tree),
            capture_ms: tookMs,
            captured_at: atMs / 1000,
          },
        ]),
      ),
    }
  },
})

const getMonitors = defineTool({
  name: 'get_monitors',
  kind: 'look',
  summary: 'List the monitors with bounds and scale factors.',
  input: z.object({}),
  output: z.object({ monitors: z.array(Monitor) }),
  faults: [],
  traits: { alwaysAllowed: true, idempotent: true },
  run: async (_, context: ContextOf<'computer'>) => ({
    monitors: (await context.computer.monitors()).map(({ index, primary, bounds, scaleFactor }) => ({
      index,
      primary,
      bounds,
      scale_factor: scaleFactor,
      logical_bounds: scaleBounds(bounds, 1 / scaleFactor),
      physical_bounds: bounds,
    })),
  }),
})

const getBudgetStatus = defineTool({
  name: 'get_budget_status',
  kind: 'look',
  summary: 'Get the usage of the action, screenshot, token and time budgets.',
  input: z.object({}),
  output: z.looseObject({ configured: z.boolean() }),
  faults: [],
  traits: { alwaysAllowed: true, idempotent: true },
  run: (_, context: ContextOf<'budget' | 'operatorClock'>) => context.budget.status(context.operatorClock.now()),
})

const getRedactionStatus = defineTool({
  name: 'get_redaction_status',
  kind: 'look',
  summary: 'Whether names, values and pictures are redacted.',
  input: z.object({}),
  output: z.looseObject({ enabled: z.boolean(), active: z.boolean() }),
  faults: [],
  traits: { alwaysAllowed: true, idempotent: true },
  run: (_, context: ContextOf<'redaction'>) => context.redaction.status(),
})

export const aboutTools = [getCapabilities, getMonitors, getBudgetStatus, getRedactionStatus]
