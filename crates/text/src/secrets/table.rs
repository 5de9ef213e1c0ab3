//! What the keys of common services look like: one row a rule, with the words it begins with.

/// A secret with a shape of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// What stands in the place of the secret: `[redacted:NAME]`.
    pub(super) name: &'static str,
    /// Each secret begins with one of these, in this case.
    pub(super) prefixes: &'static [&'static str],
    /// What follows the prefix.
    pub(super) rest: &'static str,
}

const fn row(name: &'static str, prefixes: &'static [&'static str], rest: &'static str) -> Row {
    Row { name, prefixes, rest }
}

const LONG: &str = "[A-Za-z0-9_-]{20,}";
const WORD: &str = "[A-Za-z0-9]{20,}";
const SHORT: &str = "[A-Za-z0-9_-]{10,}";

/// Of two rows that fit, the one with the longer match names it; then the first.
pub(super) const ROWS: &[Row] = &[
    row(
        "aws-key",
        &["AKIA", "ASIA", "ABIA", "ACCA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA"],
        "[A-Z0-9]{16}",
    ),
    row("alibaba-key", &["LTAI"], "[A-Za-z0-9]{12,26}"),
    row("tencent-key", &["AKID"], "[A-Za-z0-9]{28,}"),
    row("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], WORD),
    row("github-token", &["github_pat_"], "[A-Za-z0-9_]{20,}"),
    row(
        "gitlab-token",
        &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glagent-", "gloas-", "glsoat-"],
        "[A-Za-z0-9_.-]{16,}",
    ),
    row(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.", "xoxc-", "xoxd-"],
        "[A-Za-z0-9.%_-]{10,}",
    ),
    row("slack-token", &["xapp-"], SHORT),
    row(
        "slack-webhook",
        &["hooks.slack.com/services/", "hooks.slack.com/workflows/"],
        "[A-Za-z0-9/]{20,}",
    ),
    row(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        "[0-9]{10,}/[A-Za-z0-9_-]{30,}",
    ),
    row("teams-webhook", &["webhook.office.com/webhookb2/"], "[A-Za-z0-9@/-]{40,}"),
    row(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        "[A-Za-z0-9+/=]{14,}",
    ),
    row("anthropic-key", &["sk-ant-"], LONG),
    row("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sess-"], LONG),
    row("openrouter-key", &["sk-or-"], LONG),
    row("openai-key", &["sk-"], "[A-Za-z0-9]{20,}"),
    row("google-key", &["AIza"], "[A-Za-z0-9_-]{30,}"),
    row("google-secret", &["GOCSPX-"], LONG),
    row("google-token", &["ya29."], "[A-Za-z0-9_.-]{20,}"),
    row("google-token", &["1//0"], "[A-Za-z0-9_-]{30,}"),
    row("huggingface-token", &["hf_", "api_org_"], "[A-Za-z0-9]{30,}"),
    row("npm-token", &["npm_"], "[A-Za-z0-9]{30,}"),
    row("pypi-token", &["pypi-AgE"], "[A-Za-z0-9_-]{30,}"),
    row("rubygems-token", &["rubygems_"], "[a-f0-9]{40,}"),
    row("crates-token", &["cio"], "[A-Za-z0-9]{32}"),
    row("nuget-key", &["oy2"], "[a-z0-9]{43}"),
    row("docker-token", &["dckr_pat_", "dckr_oat_"], LONG),
    row("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], "[a-f0-9]{40,}"),
    row("heroku-key", &["HRKU-"], LONG),
    row("sendgrid-key", &["SG."], "[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"),
    row("mailgun-key", &["key-"], "[a-f0-9]{32}"),
    row("brevo-key", &["xkeysib-", "xsmtpsib-"], LONG),
    row("twilio-key", &["SK"], "[a-f0-9]{32}"),
    row("square-token", &["sq0atp-", "sq0csp-", "sq0idp-"], "[A-Za-z0-9_-]{20,}"),
    row("square-token", &["EAAA"], "[A-Za-z0-9_+=-]{56,}"),
    row("facebook-token", &["EAAC", "EAAB", "EAAG"], "[A-Za-z0-9]{60,}"),
    row("shopify-token", &["shpat_", "shpss_", "shpca_", "shppa_"], "[a-fA-F0-9]{30,}"),
    row("telegram-token", &[":AA"], "[A-Za-z0-9_-]{32,34}"),
    row("databricks-token", &["dapi"], "[a-f0-9]{32}(?:-[0-9])?"),
    row("newrelic-key", &["NRAK-", "NRII-", "NRJS-", "NRRA-"], "[A-Za-z0-9-]{19,}"),
    row("grafana-token", &["glsa_", "glc_"], "[A-Za-z0-9_+/=]{30,}"),
    row("linear-key", &["lin_api_", "lin_oauth_"], WORD),
    row("notion-token", &["ntn_", "secret_"], "[A-Za-z0-9]{40,}"),
    row("figma-token", &["figd_"], LONG),
    row("airtable-token", &["pat"], "[A-Za-z0-9]{14}\\.[a-f0-9]{64}"),
    row("atlassian-token", &["ATATT3", "ATCTT3", "ATBB"], "[A-Za-z0-9_=-]{20,}"),
    row("dropbox-token", &["sl."], "[A-Za-z0-9_-]{60,}"),
    row("pulumi-token", &["pul-"], "[a-f0-9]{40}"),
    row("terraform-token", &[".atlasv1."], "[A-Za-z0-9_=-]{40,}"),
    row("vault-token", &["hvs.", "hvb.", "hvr."], LONG),
    row(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        "[A-Za-z0-9._-]{20,}",
    ),
    row(
        "planetscale-token",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        "[A-Za-z0-9_.=-]{20,}",
    ),
    row("supabase-token", &["sbp_", "sb_secret_"], WORD),
    row("netlify-token", &["nfp_", "nfc_", "nfo_"], LONG),
    row("vercel-token", &["vcp_", "vci_", "vca_", "vck_"], LONG),
    row(
        "fly-token",
        &["FlyV1 ", "fo1_", "fm1_", "fm2_", "fm1r_", "fm1a_"],
        "[A-Za-z0-9_+/=,-]{30,}",
    ),
    row("tailscale-key", &["tskey-"], "[A-Za-z0-9-]{16,}"),
    row("onepassword-token", &["ops_eyJ"], "[A-Za-z0-9_=-]{40,}"),
    row("age-key", &["AGE-SECRET-KEY-1"], "[A-Z0-9]{30,}"),
    row("sentry-token", &["sntrys_", "sntryu_", "sntrya_"], "[A-Za-z0-9_+/=]{30,}"),
    row("postman-key", &["PMAK-"], "[A-Za-z0-9-]{30,}"),
    row("adafruit-key", &["aio_"], "[A-Za-z0-9]{28}"),
    row("clojars-token", &["CLOJARS_"], "[A-Za-z0-9]{40,}"),
    row("dynatrace-token", &["dt0c01.", "dt0s01.", "dt0s02."], "[A-Z0-9]{24}\\.[A-Z0-9]{40,}"),
    row("easypost-key", &["EZAK", "EZTK"], "[A-Za-z0-9]{50,}"),
    row("groq-key", &["gsk_"], WORD),
    row("replicate-token", &["r8_"], "[A-Za-z0-9]{30,}"),
    row("perplexity-key", &["pplx-"], WORD),
    row("xai-key", &["xai-"], "[A-Za-z0-9]{40,}"),
    row("nvidia-key", &["nvapi-"], LONG),
    row("langsmith-key", &["lsv2_pt_", "lsv2_sk_"], "[A-Za-z0-9_]{30,}"),
    row("pinecone-key", &["pcsk_"], LONG),
    row("sourcegraph-token", &["sgp_"], "[A-Za-z0-9_]{30,}"),
    row("typeform-token", &["tfp_"], "[A-Za-z0-9_.=-]{40,}"),
    row("contentful-token", &["CFPAT-"], LONG),
    row("shippo-token", &["shippo_live_", "shippo_test_"], "[a-f0-9]{30,}"),
    row("flutterwave-key", &["FLWSECK-", "FLWSECK_TEST-", "FLWSECK_"], "[A-Za-z0-9-]{12,}"),
    row("razorpay-key", &["rzp_live_", "rzp_test_"], "[A-Za-z0-9]{14,}"),
    row("mapbox-token", &["sk.eyJ"], "[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{10,}"),
    row("buildkite-token", &["bkua_", "bkct_"], "[A-Za-z0-9]{30,}"),
    row("circleci-token", &["CCIPAT_", "CCIPRJ_"], "[A-Za-z0-9_]{20,}"),
    row("jfrog-token", &["AKCp"], "[A-Za-z0-9]{60,}"),
    row("fireworks-key", &["fw_"], "[A-Za-z0-9]{22,}"),
    row("cloudflare-key", &["v1.0-"], "[a-f0-9]{24}-[a-f0-9]{100,}"),
    row("readme-key", &["rdme_"], "[a-z0-9]{60,}"),
    row("prefect-key", &["pnu_", "pnb_"], "[A-Za-z0-9]{30,}"),
    row("duffel-token", &["duffel_live_", "duffel_test_"], "[A-Za-z0-9_=-]{30,}"),
    row("infracost-key", &["ico-"], "[A-Za-z0-9]{32}"),
    row("sendinblue-key", &["xkeysib-"], LONG),
    row("wandb-key", &["wandb_v1_"], LONG),
    row("jwt", &["eyJ"], "[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?"),
];
