//! Every key here is made at run time: nothing in this file looks like one.

use super::table::ROWS;
use super::*;
use proptest::prelude::*;

/// Letters and digits that look drawn by a machine.
fn random(length: usize, seed: u64) -> String {
    let alphabet: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            alphabet[(state % 62) as usize]
        })
        .collect()
}

fn hidden(text: &str) -> String {
    Detector::default().mask(text, &mut Tally::new()).into_owned()
}

#[test]
fn prefixes_of_services_name_their_keys() {
    for (prefix, length, name) in [
        ("ghp_", 36, "github-token"),
        ("glpat-", 20, "gitlab-token"),
        ("sk-ant-api03-", 90, "anthropic-key"),
        ("hf_", 34, "huggingface-token"),
        ("npm_", 36, "npm-token"),
    ] {
        let key = format!("{prefix}{}", random(length, 7));
        for text in [format!("use {key} here"), format!("\"{key}\""), key.clone()] {
            let safe = hidden(&text);
            assert_eq!(safe, text.replace(&key, &placeholder(name)), "{text}");
        }
    }
    let aws = format!("AKIA{}", random(16, 3).to_uppercase());
    assert_eq!(hidden(&format!("id {aws}.")), "id [redacted:aws-key].");
    assert_eq!(ROWS.iter().filter(|row| row.prefixes.is_empty()).count(), 0);
}

#[test]
fn letters_alone_are_secret_where_they_are_called_so() {
    let letters = |seed| -> String {
        random(120, seed).chars().filter(char::is_ascii_alphabetic).take(24).collect()
    };
    let missed = (1..=300).filter(|seed| {
        let key = letters(*seed);
        let texts = [format!("API_KEY={key}"), format!("password: {key}"), format!("Bearer {key}")];
        texts.iter().any(|text| hidden(text).contains(&key))
    });
    let missed = missed.count();
    assert!(missed <= 12, "{missed} of 300");
    for name in ["getUserPasswordFromDatabase", "parseHTMLIntoTreeOfNodes"] {
        assert_eq!(hidden(&format!("token = {name}")), format!("token = {name}"));
    }
}

#[test]
fn names_before_values_call_them_secret() {
    let key = random(24, 11);
    for text in [
        format!("API_KEY={key}"),
        format!("api_key: \"{key}\""),
        format!("{{\"access_token\":\"{key}\"}}"),
        format!("{{\\\"client_secret\\\": \\\"{key}\\\"}}"),
        format!("Authorization: Bearer {key}"),
        format!("curl -H 'X-Api-Key: {key}' https://x.example"),
        format!("--token {key}"),
        format!("<password>{key}</password>"),
        format!("https://x.example/?api_key={key}&page=2"),
        format!("The service token is {key}, rotate it"),
        format!("We keep the purge token back to front so nobody finds it; reverse this: {key}."),
        format!("postgres://app:{key}@db.example:5432/main"),
        format!("Server=db;User Id=sa;Password={key};Encrypt=true"),
    ] {
        let safe = hidden(&text);
        assert!(!safe.contains(&key) && safe.contains("[redacted:"), "{text} → {safe}");
    }
}

#[test]
fn short_passwords_are_hidden_where_they_are_assigned() {
    let word = format!("quay{}lamp", 40 + 7);
    for text in [
        format!("DB_PASSWORD={word}"),
        format!("password: {word}"),
        format!("login is admin with password={word} and all use it"),
        format!("the password is {word}"),
    ] {
        assert!(!hidden(&text).contains(&word), "{text} → {}", hidden(&text));
    }
}

#[test]
fn whose_password_it_is_may_stand_before_it() {
    let word = format!("quay{}lamp", 40 + 7);
    for text in [
        format!("The password for the admin account is {word}"),
        format!("The password of the database is {word}, ask before you use it"),
        format!("password for root is now {word}"),
        format!("The root password on staging is {word}."),
        format!("The password for admin: {word}"),
        format!("admin's password was changed to {word}"),
        format!("sshpass -p {word} ssh root@host"),
        format!("sshpass -p'{word}' ssh root@host"),
        format!("mysql -uroot -p{word} shop"),
        format!("docker login -u me -p {word} registry.example"),
        format!("redis-cli -h cache -a {word} ping"),
    ] {
        assert!(!hidden(&text).contains(&word), "{text} → {}", hidden(&text));
    }
    for text in [
        "The password for the admin account is stored in the vault",
        "the password of a user is hashed with argon2id before it is kept",
        "docker run -p 8080:80 nginx",
        "mkdir -p build/release2",
        "mysql -p shop2024 < dump.sql",
        "cargo test -p mnemic-text",
        "password for tests: see conftest.py",
    ] {
        assert_eq!(hidden(text), text);
    }
}

#[test]
fn azure_keys_are_hidden_in_connection_strings() {
    let key = format!("{}==", random(86, 5));
    for text in [
        format!(
            "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={key};EndpointSuffix=x"
        ),
        format!("Endpoint=sb://x.example/;SharedAccessKeyName=root;SharedAccessKey={key}"),
    ] {
        assert!(!hidden(&text).contains(&key[..40]), "{text} → {}", hidden(&text));
    }
}

#[test]
fn passwords_of_words_alone_are_hidden_where_nothing_else_can_be_meant() {
    let word = ["correct", "horse", "battery"].concat();
    let phrase = ["correct", "horse", "battery", "staple"].join("-");
    for text in [
        format!("The wifi password is {word}"),
        format!("The wifi password is {word}, the guest network has none."),
        format!("The passphrase is now {phrase}."),
        format!("password: {word}"),
    ] {
        let safe = hidden(&text);
        assert!(!safe.contains("horse") && safe.contains("[redacted:password]"), "{text} → {safe}");
    }
}

#[test]
fn passwords_are_known_by_their_name_in_other_languages() {
    let word = format!("geheim{}xyz", 2000 + 24);
    for text in [
        format!("Das Passwort lautet {word}"),
        format!("Passwort: {word}"),
        format!("Das Kennwort ist {word}, bitte ändern."),
        format!("mot de passe : {word}"),
        format!("Mot de passe\u{a0}: {word}"),
        format!("Le mot de passe est {word}."),
        format!("contraseña: {word}"),
        format!("La contraseña es {word}"),
        format!("A senha é {word}"),
        format!("Het wachtwoord is {word}"),
        format!("Пароль: {word}"),
        format!("密码是{word}"),
        format!("パスワード：{word}"),
    ] {
        let safe = hidden(&text);
        assert!(!safe.contains(&word) && safe.contains("[redacted:password]"), "{text} → {safe}");
    }
}

#[test]
fn a_password_beside_its_user_is_hidden() {
    let (word, odd) = (format!("hunter{}", 20 + 2), format!("Tr{}ub{}dor&3", 0, 4));
    for (text, secret) in [
        (format!("curl -u deploy:{word} https://example.org/x"), &word),
        (format!("`curl -s --user 'deploy:{word}' https://example.org/x`"), &word),
        (format!("/usr/bin/curl \\\n  -u \"deploy:{word}\" \\\n  https://example.org/x"), &word),
        (format!("wget --user=deploy:{word} https://example.org/x"), &word),
        (format!("http -a deploy:{word} example.org/x"), &word),
        (format!("The admin login is root / {odd}"), &odd),
        (format!("The admin login for the old box is root / {word}."), &word),
        (format!("Credentials: root/{odd}"), &odd),
        (format!("log in with root:{odd}, then restart"), &odd),
    ] {
        let safe = hidden(&text);
        assert_eq!(safe, text.replace(secret.as_str(), "[redacted:password]"), "{text}");
    }
}

#[test]
fn the_secret_of_an_aws_key_goes_with_its_id() {
    let id = format!("AKIA{}", random(16, 3).to_uppercase());
    let letters = random(38, 9);
    let secret = format!("{}/{}/{}", &letters[..13], &letters[13..20], &letters[20..]);
    for text in [
        format!("Our AWS key is {id} / {secret}"),
        format!("{id},{secret}"),
        format!("{id}/{secret}"),
        format!("id é {secret}\nand then {id}"),
        format!("aws_secret_access_key={secret}"),
    ] {
        let safe = hidden(&text);
        assert!(!safe.contains(&letters[20..]) && !safe.contains(&id), "{text} → {safe}");
    }
    let commit = "4f5d4c449e920a9a4be8d737edd828d150cd8c11";
    assert!(hidden(&format!("{id} was seen in {commit}")).contains(commit));
}

#[test]
fn keys_written_in_groups_are_keys() {
    let key = random(32, 5);
    let groups: Vec<&str> = (0..8).map(|i| &key[i * 4..i * 4 + 4]).collect();
    for separator in [" ", " . "] {
        let text = format!("The write token, remove the gaps: {}. Use it.", groups.join(separator));
        let safe = hidden(&text);
        let left = groups.iter().filter(|group| safe.contains(**group)).count();
        assert!(left <= 1, "{text} → {safe}");
    }
}

#[test]
fn private_keys_go_whole_and_public_ones_stay() {
    let body = random(64, 1);
    let (begin, end) = ("-----BEGIN ", "-----END ");
    let whole = format!("a\n{begin}EC PRIVATE KEY-----\n{body}\n{end}EC PRIVATE KEY-----\nb");
    assert_eq!(hidden(&whole), "a\n[redacted:private-key]\nb");
    let cut = format!("{begin}PRIVATE KEY-----\n{body}\n{body}");
    assert_eq!(hidden(&cut), "[redacted:private-key]");
    let public = format!("{begin}CERTIFICATE-----\n{body}\n{end}CERTIFICATE-----");
    assert_eq!(hidden(&public), public);
}

#[test]
fn ordinary_lines_stay() {
    for text in [
        "The deploy workflow reads the key from the secret store; its value is never written down.",
        "password: required, at least 12 characters",
        "let token = parser.next_token()?;",
        "max_tokens=4096 and token_count: 1200",
        "fn password(&self) -> &str { self.password.as_str() }",
        "export TOKEN=$(gh auth token)",
        "password = os.environ[\"DB_PASSWORD\"]",
        "pinned to commit 4f5d4c449e920a9a4be8d737edd828d150cd8c11, a sha and not a secret",
        "the session key 550e8400-e29b-41d4-a716-446655440000 is an id",
        "the primary key of `user_sessions_2024` is user_id",
        "https://docs.example.org/token/refresh#keys",
        "cache key: recall/v2/default/en",
        "ssh://git@host.example/repo.git",
        "press the any key; keyboard shortcuts: Ctrl+Shift+P",
        "its password is kept in the vault at secret/ops/historian/collector",
        "the password is required, and the passphrase is mandatory",
        "the password is stored hashed",
        "The password is in the vault.",
        "the password is unrecoverable. The password is case-insensitive, encrypted and reset-able.",
        "the password is indistinguishable from noise; the passcode is alphanumeric",
        "password: authentication, password: confirmpassword",
        "Das Passwort ist erforderlich. Das Passwort lautet anders als im Handbuch.",
        "Das Kennwort ist benutzerdefiniert, het wachtwoord is hoofdlettergevoelig",
        "Le mot de passe est obligatoire ; mot de passe : voir le coffre",
        "La contraseña es obligatoria. A senha é necessária. Felsenhaus: raum12b",
        "密码是必填项。パスワードは必須です。Пароль: обязательно",
        "docker run -u 1000:1000 -v data:/data2 image",
        "curl https://get.example.org | docker run -u 1000:1000 image",
        "curl -u $USER:$TOKEN https://example.org and curl -u user:password https://example.org",
        "git push -u origin feature:feature2, then sudo -u deploy:deploy1 true",
        "The login is OAuth / SAML; login with google/oauth2 or github / openid",
        "login: see docs/login2/Readme.md; credentials are read from config/app.v2",
    ] {
        assert_eq!(hidden(text), text);
    }
}

#[test]
fn fields_with_telling_names_hide_their_values() {
    let detector = Detector::default();
    let mut tally = Tally::new();
    assert_eq!(detector.mask_named("db.password", "swordfish", &mut tally), "[redacted:password]");
    assert_eq!(detector.mask_named("db.port", "5432", &mut tally), "5432");
    assert_eq!(detector.mask_named("password_policy", "rotate90", &mut tally), "rotate90");
    assert_eq!(tally.get("password"), Some(&1));
}

#[test]
fn personal_data_is_left_alone_unless_asked_for() {
    let text = "mail ann@mail.example.org or call +49 30 901820";
    assert_eq!(hidden(text), text);
    let personal = Detector::new(true, vec![Personal::Email, Personal::Phone], Vec::new());
    let safe = personal.mask(text, &mut Tally::new()).into_owned();
    assert_eq!(safe, "mail [redacted:email] or call [redacted:phone]");
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        Just("password".to_owned()),
        Just("token: ".to_owned()),
        Just("\"".to_owned()),
        Just("://".to_owned()),
        Just("@".to_owned()),
        Just("-----BEGIN RSA PRIVATE KEY-----".to_owned()),
        Just("=".to_owned()),
        Just(" ".to_owned()),
        Just("sk-".to_owned()),
        Just("é\u{200b}😀".to_owned()),
        (1usize..60, any::<u64>()).prop_map(|(length, seed)| random(length, seed)),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn spans_are_in_order_and_on_characters(text in soup()) {
        let all = Detector::new(true, Personal::ALL.to_vec(), Vec::new());
        let mut done = 0;
        for span in all.find(&text) {
            prop_assert!(done <= span.start && span.start < span.end && span.end <= text.len());
            prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
            done = span.end;
        }
    }

    #[test]
    fn what_was_masked_stays_as_it_is(text in soup()) {
        let once = hidden(&text);
        prop_assert_eq!(hidden(&once), once);
    }
}
