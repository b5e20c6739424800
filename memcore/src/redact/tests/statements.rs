//! Secrets that only the words around them give away.

use super::{check, check_unchanged};

#[test]
fn passwords_in_sentences_are_masked() {
    for (text, expected) in [
        ("家里的无线网密码是 sunflower2023", "家里的无线网密码是 [redacted:password]"),
        ("公司门禁的密码是8020#，别外传", "公司门禁的密码是[redacted:password]，别外传"),
        ("我把邮箱密码改成了 Qw!erty_88，记一下", "我把邮箱密码改成了 [redacted:password]，记一下"),
        ("登录密码：maple77", "登录密码：[redacted:password]"),
        ("密码还是原来那个 zhang1990", "密码还是原来那个 [redacted:password]"),
        ("口令：芝麻开门", "口令：[redacted:password]"),
        ("账号 li 密码 maple2077", "账号 li 密码 [redacted:password]"),
        ("用 maple2077 当密码", "用 [redacted:password] 当密码"),
        ("行李箱密码是 357", "行李箱密码是 [redacted:password]"),
        ("验证码是 381920", "验证码是 [redacted:password]"),
        ("my password is hunter2", "my password is [redacted:password]"),
        ("My password is sunflower, please remember it.", "My password is [redacted:password], please remember it."),
        ("the wifi password at the office is Blue-Whale-77", "the wifi password at the office is [redacted:password]"),
        ("I changed my gmail password to Tr0ub4dor&3.", "I changed my gmail password to [redacted:password]."),
        ("Password for the NAS: \"open sesame\"", "Password for the NAS: \"[redacted:password]\""),
        ("hunter22 is my old password", "[redacted:password] is my old password"),
        ("login as root, password Hunter22!", "login as root, password [redacted:password]!"),
        ("The PIN of my card is 4821.", "The PIN of my card is [redacted:password]."),
        ("the door code is 4821#", "the door code is [redacted:password]"),
        ("my app password is qxjz mwkf tbrl hnvd", "my app password is [redacted:password]"),
        ("有效期 12/28，CVV 123", "有效期 12/28，CVV [redacted:password]"),
        ("passphrase is correct horse battery staple.", "passphrase is [redacted:password]."),
    ] {
        check(text, expected);
    }
}

#[test]
fn values_of_variables_and_options_are_masked() {
    for (text, expected) in [
        ("DB_PASSWORD=correcthorse", "DB_PASSWORD=[redacted:password]"),
        ("db.password: maple2077", "db.password: [redacted:password]"),
        (
            "{\"password\": \"maple tree\", \"user\": \"li\"}",
            "{\"password\": \"[redacted:password]\", \"user\": \"li\"}",
        ),
        ("Server=db;Password=maple77;Timeout=30", "Server=db;Password=[redacted:password];Timeout=30"),
        ("login?user=li&password=maple77&next=/", "login?user=li&password=[redacted:password]&next=/"),
        ("let password: &str = \"maple77\";", "let password: &str = \"[redacted:password]\";"),
        ("mysql -u root -pMaple77 shop", "mysql -u root -p[redacted:password] shop"),
        ("sshpass -p maple77 ssh li@host", "sshpass -p [redacted:password] ssh li@host"),
        ("curl -u li:maple77 https://host", "curl -u li:[redacted:password] https://host"),
        ("tool --password maple77 --quiet", "tool --password [redacted:password] --quiet"),
        ("redis://:maple77@cache:6379/0", "redis://:[redacted:password]@cache:6379/0"),
        ("AccessKeySecret: 9fK2mQ7xLp3Zt8", "AccessKeySecret: [redacted:api-key]"),
        ("JWT_SECRET=keepthisquiet", "JWT_SECRET=[redacted:api-key]"),
        ("the api token is 8f7g6h5j4k3l2m1n", "the api token is [redacted:token]"),
        ("令牌：8f7g6h5j4k3l2m1n", "令牌：[redacted:token]"),
    ] {
        check(text, expected);
    }
}

#[test]
fn text_about_passwords_and_keys_is_kept() {
    for text in [
        "password reset page",
        "忘记密码怎么办",
        "密码是什么？我忘了",
        "密码学是数学的分支，密码长度是 16 位",
        "密码是用 bcrypt 加密的",
        "密码：问前台",
        "密码至少 12 个字符",
        "她的密码本是红色的",
        "令牌桶算法每秒 100 次",
        "the secret of good code is simplicity.",
        "The secret is to start early.",
        "token bucket limits 100 requests",
        "key idea: cache the token count, max_tokens=4096",
        "the password is stored hashed with bcrypt",
        "The password is wrong.",
        "My password is too weak",
        "the password must be 12 characters",
        "Password was given but not used",
        "the password that they gave back then is gone",
        "The passphrase is required for every user",
        "password: required, string",
        "password = input(\"Password: \")",
        "const token = await getToken();",
        "api_key = os.getenv(\"OPENAI_API_KEY\")",
        "DB_PASSWORD=${DB_PASSWORD}",
        "password: ********",
        "API_KEY=your-api-key",
        "PRIMARY_KEY=id SORT_KEY=created_at",
        "cache_key=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "secretName: my-app-tls-2024",
        "The token is refreshed every hour.",
        "The key is under the mat.",
        "tests: pass: 128, fail: 3",
        "docker run -u 1000:1000 image",
        "password: *const c_char,",
        "[sudo] password for li:\nSorry, try again.",
    ] {
        check_unchanged(text);
    }
}

#[test]
fn a_password_used_again_elsewhere_is_masked_there_as_well() {
    check(
        "The admin password is maple2077. Later he typed maple2077 into the wrong window.",
        "The admin password is [redacted:password]. Later he typed [redacted:password] into the wrong window.",
    );
    check("开门密码是 357，房间号 35712", "开门密码是 [redacted:password]，房间号 35712");
}

#[test]
fn private_spans_are_removed_entirely() {
    check("Before <private>my dog is ill</private> after", "Before [private] after");
    check("a <PRIVATE>x <private>y</private> z</PRIVATE > b", "a [private] b");
    check("前 ＜private＞看病＜/private＞ 后", "前 [private] 后");
    check("kept <private>never closed\nto the end", "kept [private]");
    check_unchanged("wrap it in `<private>` and `</private>` to hide it");
    check_unchanged("a stray </private> hides nothing");
}
