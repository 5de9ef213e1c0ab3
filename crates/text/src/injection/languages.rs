//! The order to forget all orders, in other languages than English. Patterns ask for the imperative
//! or for what an agent calls its own, since people also write about rules that they ignore.

/// Without one of these no pattern fits.
pub(super) const TRIGGERS: &[&str] = &[
    "anweisung",
    "instruktion",
    "vorgaben",
    "befehle",
    "instructions pr",
    "instructions ant",
    "instructions ci-",
    "tes instructions",
    "vos instructions",
    "consignes",
    "directives pr",
    "instrucciones",
    "indicaciones",
    "órdenes",
    "ordenes",
    "istruzioni",
    "indicazioni",
    "direttive",
    "instruções",
    "instrucoes",
    "ordens",
    "diretrizes",
    "instructies",
    "aanwijzingen",
    "инструкци",
    "указани",
    "команды",
    "приказы",
    "指令",
    "指示",
    "命令",
    "提示词",
    "提示詞",
    "プロンプト",
    "instrukcj",
    "polece",
    "wytyczn",
    "talimat",
    "yönerge",
    "komut",
    "지시",
    "명령",
    "지침",
    "프롬프트",
    "التعليمات",
    "الأوامر",
    "الاوامر",
    "التوجيهات",
    "hướng dẫn",
    "chỉ dẫn",
    "chỉ thị",
    "lệnh",
    "निर्देश",
    "आदेश",
];

pub(super) const OVERRIDE: &[&str] = &[
    // German; the verb may come last.
    r"\b(?:ignoriere|ignoriert|ignorieren sie|vergiss|vergesst|vergessen sie|missachte|missachten sie|verwirf|umgehe)\b[^.;:!?]{0,30}\b(?:vorherige|vorige|bisherige|fr(?:ü|ue)here|obige|vorangehende|vorangegangene|vorhergehende|alle|alle deine|deine|eure|ihre)[nr]?\b[^.;:!?]{0,40}\b(?:anweisungen?|instruktionen|vorgaben|befehle)\b",
    r"\b(?:vorherige|vorige|bisherige|fr(?:ü|ue)here|obige|vorangehende|vorangegangene|deine)n? (?:anweisungen|instruktionen|vorgaben|befehle) (?:zu )?(?:ignorieren|vergessen|missachten)\b",
    // French.
    r"\b(?:ignore|ignorez|ignorer|oublie|oubliez|oublier|n(?:é|e)glige|n(?:é|e)gligez|outrepasse|outrepassez|ne (?:tiens|tenez) (?:pas|plus) compte)\b[^.;:!?]{0,30}\b(?:instructions|consignes|directives) (?:pr(?:é|e)c(?:é|e)dentes|ant(?:é|e)rieures|ci-dessus|du syst(?:è|e)me)",
    r"\b(?:ignore|ignorez|oublie|oubliez) (?:toutes )?(?:tes|vos) (?:instructions|consignes)\b",
    // Spanish.
    r"\b(?:ignora|ignore|ignorad|ignoren|olvida|olvide|olvidad|desobedece|descarta|haz caso omiso|no hagas caso)\b[^.;:!?]{0,30}\b(?:instrucciones|indicaciones|(?:ó|o)rdenes) (?:anteriores|previas|precedentes|del sistema)\b",
    r"\b(?:ignora|ignore|olvida|olvide)\b[^.;:!?]{0,20}\b(?:anteriores|previas|tus) (?:instrucciones|indicaciones|(?:ó|o)rdenes)\b",
    // Italian.
    r"\b(?:ignora|ignorate|ignori|dimentica|dimenticate|disattendi)\b[^.;:!?]{0,30}\b(?:istruzioni|indicazioni|direttive) (?:precedenti|anteriori|di sistema|del sistema)\b",
    r"\b(?:ignora|ignorate|dimentica|dimenticate)\b[^.;:!?]{0,20}\b(?:precedenti|tue|vostre) (?:istruzioni|indicazioni|direttive)\b",
    // Portuguese.
    r"\b(?:ignora|ignore|ignorem|esquece|esque(?:ç|c)a|desconsidera|desconsidere|despreza|despreze)\b[^.;:!?]{0,30}\b(?:instru(?:çõ|co)es|ordens|diretrizes) (?:anteriores|pr(?:é|e)vias|precedentes|acima|do sistema)\b",
    r"\b(?:ignora|ignore|esquece|esque(?:ç|c)a)\b[^.;:!?]{0,20}\b(?:tuas|suas) (?:instru(?:çõ|co)es|ordens|diretrizes)\b",
    // Dutch.
    r"\b(?:negeer|vergeet)\b[^.;:!?]{0,30}\b(?:vorige|eerdere|voorgaande|bovenstaande|alle|je|jouw|uw)\b[^.;:!?]{0,40}\b(?:instructies|aanwijzingen)\b",
    // Russian: two bytes a letter.
    r"(?:игнорируй|забудь|отбрось|не обращай(?:те)? внимания на)(?:те)?[^.;:!?]{0,40}(?:предыдущи|прежни|прошлы|вышеуказанны|вышеизложенны|все |свои|твои|ваши)[^.;:!?]{0,60}(?:инструкци|указани|команды|приказы)",
    // Chinese; bytes of its full stop are not told from others, so the words between are named.
    r"(?:忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|不要理会|不要理會)(?:掉|了|你|您|的|所有|全部|任何|一切|之前|以前|先前|此前|上述|上面|以上|前面|收到|给出|給出|系统|系統| ){1,6}(?:指令|指示|命令|提示词|提示詞)",
    // Japanese; the verb comes last.
    r"(?:以前|前|上記|これまで|今まで|先|先ほど|すべて|全て|あなた|システム)(?:の|すべて|全て|まで|に|与えられた|受けた|システム){0,5}(?:指示|命令|指令|プロンプト)(?:を|は|も|すべて|全て|全部|、){0,4}(?:無視し|無視せよ|忘れて|忘れろ|破棄し)",
    // Polish.
    r"\b(?:zignoruj|ignoruj|zapomnij|pomi(?:ń|n)|odrzu(?:ć|c))(?:cie)?\b[^.;:!?]{0,40}\b(?:poprzedni|wcze(?:ś|s)niejsz|powy(?:ż|z)sz|wszystki|dotychczasow|swoje|twoje)[^.;:!?]{0,40}\b(?:instrukcj|polece|wytyczn)",
    // Turkish; the verb comes last.
    r"(?:önceki|onceki|yukar(?:ı|i)daki|bütün|butun|tüm|tum|sistem)\b[^.;:!?]{0,40}(?:talimat|komut|yönerge|yonerge)[^.;:!?]{0,30}(?:yok say|görmezden gel|gormezden gel|unut|dikkate alma|göz ard(?:ı|i) et)",
    // Korean; the verb comes last, three bytes a letter.
    r"(?:이전|앞선|위의|모든|기존|지금까지의|시스템)[^.;:!?]{0,60}(?:지시|명령|지침|프롬프트)[^.;:!?]{0,40}(?:무시하(?:고|세요|십시오|라|시오)|무시해|잊어|잊고|잊으세요)",
    // Arabic: two bytes a letter.
    r"(?:تجاهل|تجاهلوا|تجاهلي|انس|انسَ|إنس|انسى) [^.;:!?]{0,60}(?:التعليمات|الأوامر|الاوامر|التوجيهات)[^.;:!?]{0,20}(?:السابقة|السابقه|أعلاه|كلها)",
    r"(?:تجاهل|تجاهلوا|تجاهلي) (?:جميع|كل|كافة) (?:التعليمات|الأوامر|الاوامر|التوجيهات)",
    // Vietnamese.
    r"(?:bỏ qua|phớt lờ|lờ đi|quên)[^.;:!?]{0,60}(?:hướng dẫn|chỉ dẫn|chỉ thị|lệnh)[^.;:!?]{0,30}(?:trước|ở trên|bên trên|hệ thống)",
    // Hindi: three bytes a letter, the verb last.
    r"(?:पिछले|पिछली|पूर्व|ऊपर|सभी|सारे|सिस्टम)[^.;:!?]{0,90}(?:निर्देश|आदेश)[^.;:!?]{0,60}(?:अनदेखा कर|नज़रअंदाज़ कर|नजरअंदाज कर|भूल जा|उपेक्षा कर)",
];
