import * as z from 'zod'

const Keys = z.array(z.string())

/** The operator's settings of a session (observer document, "Config"), in the document's spelling. */
export const Settings = z.object({
  ascii_sketch: z
    .object({
      grid_width: z.int().min(2).max(400).default(72),
      grid_height: z.int().min(2).max(200).default(24),
      unicode_box: z.boolean().default(false),
    })
    .prefault({}),
  tree: z
    .object({
      max_depth: z.int().min(0).max(200).default(64).describe('The maximum depth of every result'),
      default_depth: z.int().min(0).max(200).default(64).describe('The depth of requests that name none'),
      sparse_threshold: z.int().min(0).default(5).describe('A tree with fewer named elements is reported as degraded'),
    })
    .prefault({}),
  wait_for: z.object({ max_timeout_ms: z.int().min(0).default(60_000) }).prefault({}),
  budget: z
    .object({
      max_actions: z.int().min(0).optional(),
      max_screenshots: z.int().min(0).optional(),
      max_vlm_tokens: z.int().min(0).optional(),
      max_session_seconds: z.int().min(0).optional(),
      actions_per_minute: z.int().min(0).optional(),
    })
    .prefault({}),
  redaction: z
    .object({
      enabled: z.boolean().default(true),
      window_title_patterns: Keys.default([]),
      element_name_patterns: Keys.default([]),
      element_role_patterns: Keys.default([]),
      ocr_text_patterns: Keys.default([]),
      replacement: z.string().default('[REDACTED]'),
      blur_screenshots: z.boolean().default(false),
    })
    .prefault({}),
  actions: z
    .object({
      allow: Keys.default([]),
      deny: Keys.default([]),
      default: z.enum(['allow', 'deny']).default('allow'),
    })
    .prefault({}),
  allow: z
    .object({
      process: Keys.default([]),
      title: Keys.default([]),
    })
    .prefault({})
    .describe('Patterns of the windows that accept actions; all windows when empty'),
  read_only: z.boolean().default(false).describe('Refuse every tool that acts'),
  page_tools: z.boolean().default(false).describe('Offer the tools that web pages register for agents (WebMCP)'),
  confirmation_required: z
    .array(z.object({ name_regex: z.string().optional(), role: z.string().optional() }))
    .default([]),
  confirmation: z
    .object({
      bbox_tolerance_px: z.number().min(0).default(20),
      ttl_seconds: z.number().min(0).default(60),
    })
    .prefault({}),
  logging: z
    .object({
      level: z.string().default('INFO'),
      audit: z.boolean().default(false),
      audit_path: z.string().default('./audit.log'),
      audit_max_bytes: z.int().min(1024).default(10_485_760),
      audit_backups: z.int().min(0).max(100).default(3),
    })
    .prefault({}),
  audit: z
    .object({
      redact_arg_keys: Keys.default(['text', 'value', 'password', 'api_key', 'Authorization', 'confirm_token']),
    })
    .prefault({}),
  tracing: z
    .object({
      dir: z.string().default('./traces'),
      screenshot_every_n_actions: z.int().min(0).default(5),
      max_args_bytes: z.int().min(0).default(4096),
      wire_log: z.boolean().default(false).describe('Write the HTTP requests of calls into wire.jsonl beside a trace'),
      redact_keys: Keys.default(['api_key', 'password', 'Authorization', 'token', 'confirm_token', 'text', 'value']),
    })
    .prefault({}),
  ocr: z
    .object({
      enabled: z.boolean().default(true),
      tesseract_cmd: z.string().nullable().default(null),
      min_confidence: z.number().min(0).max(100).default(30),
    })
    .prefault({}),
  vlm: z
    .object({
      enabled: z.boolean().default(false),
      base_url: z.string().default('http://localhost:3000'),
      api_key: z.string().nullable().default(null),
      model: z.string().nullable().default(null),
      max_tokens: z.int().min(1).default(1500),
      temperature: z.number().min(0).max(2).default(0.1),
      timeout_s: z.number().min(1).default(240),
    })
    .prefault({}),
})
export type Settings = z.infer<typeof Settings>
