import {
  button,
  desktop,
  document,
  edit,
  list,
  listItem,
  monitor,
  rect,
  text,
  window,
} from '../../../src/desktop/model/builders.ts'
import type { Desktop } from '../../../src/desktop/model/desktop.ts'

const at = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })

/** The only monitor of the page. */
export const TEXT_PAGE_SCREEN = rect(0, 0, 860, 520)

/** Lines of every script that pictures show, and of those that they show as boxes. */
const LINES = [
  'Größe, prénom, Łódź, İstanbul, Việt Nam',
  'Настройки, їжак — Ρυθμίσεις, άλφα',
  'إعدادات البريد (3): ١٢٣٤ / 1234 — 50%',
  'بِسْمِ ٱللَّٰهِ, می‌خواهم, اردو ہے',
  'שלום! "Backlot 2.0" ב־2024 (נקודות: שָׁלוֹם)',
  'Mail البريد (3) דואר v2.0 end',
  'البريد Mail 12:30 (3)',
  '設定を開く：「保存」しますか？ 漢字カナ',
  'e\u0301 a\u0308 ⌘S ⇧⌥⌫ → ✓ 50 € № ½',
  'ไทย हिन्दी 한국어 😀👍🏽👩‍👩‍👧🇩🇪❤️1️⃣',
]

/**
 * A page of text in all scripts: labels, short labels that end in an ellipsis, wrapped paragraphs, a selection over a
 * change of direction or a caret in a mixed line.
 */
export function textPage(mixed: 'selection' | 'caret'): Desktop {
  const value = 'Mail البريد (3) דואר end'
  const here = mixed === 'selection' ? { at: value.indexOf('(3)'), from: 2 } : { at: 8, from: 8 }
  return desktop(
    { monitors: [monitor(TEXT_PAGE_SCREEN)], nowMs: Date.UTC(2024, 2, 12, 14, 5) },
    window(
      'Texte · نصوص · テキスト',
      at(10, 10, 840, 500),
      ...LINES.map((line, row) => text(line, at(24, 54 + row * 26, 400, 22))),
      ...[
        'A title that is too long',
        'عنوان طويل جدا لا يتسع له المكان',
        'כותרת ארוכה מדי לשורה',
        '長すぎる見出しは省略される',
      ].map((line, row) => text(line, at(440, 54 + row * 26, 130, 22))),
      list(
        'Files',
        at(590, 54, 240, 112),
        listItem('تقرير.pdf', { value: '48 kB' }, at(591, 55, 238, 28)),
        listItem('報告書.txt', { value: '2 kB' }, at(591, 83, 238, 28)),
        listItem('דוח.docx', { selected: true, value: '12 kB' }, at(591, 111, 238, 28)),
      ),
      edit('Mixed', { id: 'mixed', value, focused: true, traits: { caret: here } }, at(440, 180, 390, 32)),
      edit('Arabic', { value: 'مرحبا Ada' }, at(440, 222, 190, 32)),
      edit('Hint', { traits: { placeholder: 'חיפוש' } }, at(640, 222, 190, 32)),
      document(
        'Page',
        {
          value:
            'これは長い文章です。行の終わりで折り返され、句読点は行頭に来ません。「括弧」も同じです。\nهذه فقرة طويلة تلتف في نهاية السطر وتبدأ من اليمين.\nSome Latin text after them, wrapped too.',
        },
        at(440, 266, 390, 170),
      ),
      button('حفظ', at(440, 450, 100, 32)),
      button('ביטול', at(550, 450, 100, 32)),
      button('保存して閉じる', at(660, 450, 170, 32)),
      text('هذا نص طويل يلتف على عدة أسطر في مساحة ضيقة مع كلمة English في وسطه، ثم ينتهي.', at(24, 330, 380, 66)),
      text('日本語の長い文章はスペースがなくても文字の間で折り返されます。数字は12と345です。', at(24, 404, 380, 66)),
    ),
  )
}
