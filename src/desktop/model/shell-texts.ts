import type { Desktop } from './desktop.ts'

/** The languages of the texts of the shell besides English, in the order of a row. */
export const SHELL_LANGUAGES = ['de', 'fr', 'ar', 'he', 'ja', 'zh'] as const
type ShellLanguage = (typeof SHELL_LANGUAGES)[number]

type Row = readonly [de: string, fr: string, ar: string, he: string, ja: string, zh: string]

/** The texts that the desktop itself makes, in English, and the same in each language. `{}` stands for a text of the user. */
const TEXTS = {
  Activities: ['Aktivitäten', 'Activités', 'الأنشطة', 'פעילויות', 'アクティビティ', '活动'],
  All: ['Alle', 'Toutes', 'الكل', 'הכול', 'すべて', '全部'],
  'All settings': [
    'Alle Einstellungen',
    'Tous les paramètres',
    'كل الإعدادات',
    'כל ההגדרות',
    'すべての設定',
    '所有设置',
  ],
  App: ['App', 'App', 'تطبيق', 'יישום', 'アプリ', '应用'],
  Applications: ['Anwendungen', 'Applications', 'التطبيقات', 'יישומים', 'アプリケーション', '应用程序'],
  Back: ['Zurück', 'Retour', 'رجوع', 'חזרה', '戻る', '返回'],
  Battery: ['Akku', 'Batterie', 'البطارية', 'סוללה', 'バッテリー', '电池'],
  Bin: ['Papierkorb', 'Corbeille', 'المهملات', 'אשפה', 'ゴミ箱', '废纸篓'],
  Bluetooth: ['Bluetooth', 'Bluetooth', 'بلوتوث', 'בלוטות׳', 'Bluetooth', '蓝牙'],
  Brightness: ['Helligkeit', 'Luminosité', 'السطوع', 'בהירות', '明るさ', '亮度'],
  Close: ['Schließen', 'Fermer', 'إغلاق', 'סגירה', '閉じる', '关闭'],
  'Close Window': [
    'Fenster schließen',
    'Fermer la fenêtre',
    'إغلاق النافذة',
    'סגירת החלון',
    'ウインドウを閉じる',
    '关闭窗口',
  ],
  'Cloud files': [
    'Cloud-Dateien',
    'Fichiers en ligne',
    'ملفات السحابة',
    'קבצים בענן',
    'クラウドのファイル',
    '云端文件',
  ],
  Connected: ['Verbunden', 'Connecté', 'متصل', 'מחובר', '接続済み', '已连接'],
  'Control Center': [
    'Kontrollzentrum',
    'Centre de contrôle',
    'مركز التحكم',
    'מרכז הבקרה',
    'コントロールセンター',
    '控制中心',
  ],
  Copy: ['Kopieren', 'Copier', 'نسخ', 'העתקה', 'コピー', '拷贝'],
  Cut: ['Ausschneiden', 'Couper', 'قص', 'גזירה', 'カット', '剪切'],
  Desktop: ['Schreibtisch', 'Bureau', 'سطح المكتب', 'שולחן העבודה', 'デスクトップ', '桌面'],
  Dock: ['Dock', 'Dock', 'شريط التطبيقات', 'סרגל היישומים', 'Dock', '程序坞'],
  Documents: ['Dokumente', 'Documents', 'المستندات', 'מסמכים', '書類', '文档'],
  Edit: ['Bearbeiten', 'Édition', 'تحرير', 'עריכה', '編集', '编辑'],
  'Enter Full Screen': [
    'Vollbild ein',
    'Activer le mode plein écran',
    'دخول وضع ملء الشاشة',
    'כניסה למסך מלא',
    'フルスクリーンにする',
    '进入全屏幕',
  ],
  'Exit Full Screen': [
    'Vollbild aus',
    'Quitter le mode plein écran',
    'إنهاء وضع ملء الشاشة',
    'יציאה ממסך מלא',
    'フルスクリーンを解除',
    '退出全屏幕',
  ],
  File: ['Ablage', 'Fichier', 'ملف', 'קובץ', 'ファイル', '文件'],
  'Hidden Icons': [
    'Ausgeblendete Symbole',
    'Icônes cachées',
    'الأيقونات المخفية',
    'סמלים מוסתרים',
    '隠れているアイコン',
    '隐藏的图标',
  ],
  'Input Language': ['Eingabesprache', 'Langue de saisie', 'لغة الإدخال', 'שפת קלט', '入力言語', '输入语言'],
  'Input language': ['Eingabesprache', 'Langue de saisie', 'لغة الإدخال', 'שפת קלט', '入力言語', '输入语言'],
  Launcher: ['Starter', 'Lanceur', 'مشغل التطبيقات', 'מפעיל היישומים', 'ランチャー', '启动器'],
  'Menu Bar': ['Menüleiste', 'Barre des menus', 'شريط القوائم', 'שורת התפריטים', 'メニューバー', '菜单栏'],
  Microphone: ['Mikrofon', 'Microphone', 'الميكروفون', 'מיקרופון', 'マイク', '麦克风'],
  Minimize: ['Minimieren', 'Réduire', 'تصغير', 'מזעור', 'しまう', '最小化'],
  Minimized: ['Minimiert', 'Réduit', 'مصغر', 'ממוזער', '最小化', '已最小化'],
  Network: ['Netzwerk', 'Réseau', 'الشبكة', 'רשת', 'ネットワーク', '网络'],
  More: ['Mehr', 'Plus', 'المزيد', 'עוד', 'その他', '更多'],
  'Next month': ['Nächster Monat', 'Mois suivant', 'الشهر التالي', 'החודש הבא', '来月', '下个月'],
  'Night light': ['Nachtmodus', 'Éclairage nocturne', 'الإضاءة الليلية', 'תאורת לילה', '夜間モード', '夜间模式'],
  'No applications': [
    'Keine Anwendungen',
    'Aucune application',
    'لا توجد تطبيقات',
    'אין יישומים',
    'アプリがありません',
    '没有应用程序',
  ],
  'No new notifications': [
    'Keine neuen Mitteilungen',
    'Aucune nouvelle notification',
    'لا توجد إشعارات جديدة',
    'אין התראות חדשות',
    '新しい通知はありません',
    '没有新通知',
  ],
  'No results for "{}"': [
    'Keine Ergebnisse für „{}“',
    'Aucun résultat pour « {} »',
    'لا توجد نتائج عن «{}»',
    'אין תוצאות עבור "{}"',
    '「{}」の検索結果はありません',
    '没有“{}”的结果',
  ],
  'Not connected': ['Nicht verbunden', 'Non connecté', 'غير متصل', 'לא מחובר', '未接続', '未连接'],
  Notifications: ['Mitteilungen', 'Notifications', 'الإشعارات', 'התראות', '通知', '通知'],
  'Notifications and Calendar': [
    'Mitteilungen und Kalender',
    'Notifications et calendrier',
    'الإشعارات والتقويم',
    'התראות ולוח שנה',
    '通知とカレンダー',
    '通知和日历',
  ],
  now: ['jetzt', 'maintenant', 'الآن', 'עכשיו', 'たった今', '现在'],
  Open: ['Geöffnet', 'Ouvert', 'مفتوح', 'פתוח', '開いています', '已打开'],
  Overview: ['Übersicht', 'Vue d’ensemble', 'نظرة عامة', 'סקירה', '概要', '概览'],
  'Page {}': ['Seite {}', 'Page {}', 'الصفحة {}', 'עמוד {}', '{} ページ', '第 {} 页'],
  Paste: ['Einsetzen', 'Coller', 'لصق', 'הדבקה', 'ペースト', '粘贴'],
  Pinned: ['Angeheftet', 'Épinglé', 'المثبتة', 'מוצמדים', 'ピン留め済み', '已固定'],
  Places: ['Orte', 'Emplacements', 'الأماكن', 'מקומות', '場所', '位置'],
  Power: ['Ein/Aus', 'Alimentation', 'الطاقة', 'הפעלה', '電源', '电源'],
  'Previous month': ['Voriger Monat', 'Mois précédent', 'الشهر السابق', 'החודש הקודם', '先月', '上个月'],
  'Quick Settings': [
    'Schnelleinstellungen',
    'Réglages rapides',
    'الإعدادات السريعة',
    'הגדרות מהירות',
    'クイック設定',
    '快速设置',
  ],
  'Recent notifications': [
    'Letzte Mitteilungen',
    'Notifications récentes',
    'الإشعارات الأخيرة',
    'התראות אחרונות',
    '最近の通知',
    '最近的通知',
  ],
  Recommended: ['Empfohlen', 'Recommandé', 'موصى به', 'מומלצים', 'おすすめ', '推荐'],
  'Recycle Bin': ['Papierkorb', 'Corbeille', 'سلة المهملات', 'סל המיחזור', 'ごみ箱', '回收站'],
  Redo: ['Wiederholen', 'Rétablir', 'إعادة', 'ביצוע מחדש', 'やり直す', '重做'],
  Search: ['Suchen', 'Rechercher', 'بحث', 'חיפוש', '検索', '搜索'],
  'Search for apps, settings, and documents': [
    'Apps, Einstellungen und Dokumente suchen',
    'Rechercher apps, paramètres et documents',
    'البحث عن تطبيقات وإعدادات ومستندات',
    'חיפוש יישומים, הגדרות ומסמכים',
    'アプリ、設定、書類を検索',
    '搜索应用、设置和文档',
  ],
  'Show Apps': [
    'Anwendungen anzeigen',
    'Afficher les applications',
    'إظهار التطبيقات',
    'הצגת יישומים',
    'アプリを表示',
    '显示应用',
  ],
  'Select all': ['Alles auswählen', 'Tout sélectionner', 'تحديد الكل', 'בחירת הכל', 'すべてを選択', '全选'],
  'Select All': ['Alles auswählen', 'Tout sélectionner', 'تحديد الكل', 'בחירת הכל', 'すべてを選択', '全选'],
  'Show hidden icons': [
    'Ausgeblendete Symbole anzeigen',
    'Afficher les icônes cachées',
    'إظهار الأيقونات المخفية',
    'הצגת סמלים מוסתרים',
    '隠れているアイコンを表示',
    '显示隐藏的图标',
  ],
  Sound: ['Ton', 'Son', 'الصوت', 'צליל', 'サウンド', '声音'],
  Start: ['Start', 'Démarrer', 'ابدأ', 'התחלה', 'スタート', '开始'],
  Taskbar: ['Taskleiste', 'Barre des tâches', 'شريط المهام', 'שורת המשימות', 'タスクバー', '任务栏'],
  'This Device': ['Dieses Gerät', 'Cet appareil', 'هذا الجهاز', 'המכשיר הזה', 'このデバイス', '此设备'],
  'Top Bar': ['Obere Leiste', 'Barre supérieure', 'الشريط العلوي', 'הסרגל העליון', 'トップバー', '顶栏'],
  'Type to search': [
    'Suchbegriff eingeben',
    'Saisir pour rechercher',
    'اكتب للبحث',
    'הקלידו כדי לחפש',
    '検索ワードを入力',
    '输入以搜索',
  ],
  Undo: ['Widerrufen', 'Annuler', 'تراجع', 'ביטול', '取り消す', '撤销'],
  Updates: ['Updates', 'Mises à jour', 'التحديثات', 'עדכונים', '更新', '更新'],
  User: ['Benutzer', 'Utilisateur', 'المستخدم', 'משתמש', 'ユーザー', '用户'],
  View: ['Darstellung', 'Présentation', 'عرض', 'תצוגה', '表示', '显示'],
  Volume: ['Lautstärke', 'Volume', 'مستوى الصوت', 'עוצמת קול', '音量', '音量'],
  'Wi-Fi': ['WLAN', 'Wi-Fi', 'واي فاي', 'Wi-Fi', 'Wi-Fi', 'WLAN'],
  Window: ['Fenster', 'Fenêtre', 'نافذة', 'חלון', 'ウインドウ', '窗口'],
  Zoom: ['Zoomen', 'Agrandir', 'تكبير', 'הגדלה', '拡大／縮小', '缩放'],
} as const satisfies Readonly<Record<string, Row>>

/** A text that the desktop itself makes, in English. */
export type ShellText = keyof typeof TEXTS

/** A text of the shell in the language of a desktop; in English if the language has none. */
export const shellText = ({ language }: Pick<Desktop, 'language'>, text: ShellText): string =>
  textIn(language, text) ?? text

/** A text of the shell in a language. Undefined in English, and for a text or a language that the shell does not have. */
export function shellTextIn(language: string, text: string): string | undefined {
  return Object.hasOwn(TEXTS, text) ? textIn(language, text as ShellText) : undefined
}

/** Whether a text is the given one in any language. */
export const isShellText = (text: string, wanted: ShellText): boolean =>
  text === wanted || (TEXTS[wanted] as readonly string[]).includes(text)

const textIn = (language: string | undefined, text: ShellText): string | undefined => {
  const at = SHELL_LANGUAGES.indexOf(language as ShellLanguage)
  return at < 0 ? undefined : TEXTS[text][at]
}
