//! Chinese conversations and what is kept of them: statements, tastes, rules, work.

use super::{Case, check};

#[test]
fn the_users_own_facts_are_kept() {
    check(ABOUT_THE_USER);
}

#[test]
fn likes_and_dislikes_are_kept() {
    check(TASTES);
}

#[test]
fn rules_and_instructions_are_kept() {
    check(RULES);
}

#[test]
fn what_the_team_does_is_kept() {
    check(TEAM);
}

const ABOUT_THE_USER: &[Case] = &[
    (
        "我叫林晓雨，是一名产品经理，今年29岁。",
        &[
            ("profile", "user.name", "我叫林晓雨"),
            ("profile", "user.job", "我是一名产品经理"),
            ("profile", "user.age", "我今年29岁"),
        ],
    ),
    ("大家都叫我老周。", &[("profile", "user.preferred name", "大家都叫我老周")]),
    ("你可以叫我阿梅", &[("profile", "user.preferred name", "你可以叫我阿梅")]),
    ("我是赵子龙，很高兴认识你", &[("profile", "user.name", "我是赵子龙")]),
    ("我是做嵌入式开发的。", &[("profile", "user.job", "我是做嵌入式开发的")]),
    (
        "我是四川人，现在定居深圳。",
        &[("profile", "user.hometown", "我是四川人"), ("profile", "user.location", "我现在定居深圳")],
    ),
    ("我在腾讯上班。", &[("profile", "user.employer", "我在腾讯上班")]),
    ("我刚入职字节跳动", &[("profile", "user.employer", "我刚入职字节跳动")]),
    ("我离开了网易，现在在小红书工作。", &[("profile", "user.employer", "我现在在小红书工作")]),
    (
        "我去年搬到成都了，养了两只猫，一只叫团子。",
        &[("profile", "user.location", "我去年搬到成都了"), ("profile", "", "我养了两只猫，一只叫团子")],
    ),
    ("我们家的狗叫旺财", &[("profile", "user.dog name", "我们家的狗叫旺财")]),
    ("我老婆是老师，对海鲜过敏。", &[("fact", "", "我老婆是老师"), ("fact", "", "我老婆对海鲜过敏")]),
    ("我女儿朵朵今年九月上小学", &[("fact", "", "我女儿朵朵今年九月上小学")]),
    ("我的生日是3月14日", &[("profile", "user.birthday", "我的生日是3月14日")]),
    ("我的手机号是13800138000", &[("fact", "user.phone", "我的手机号是13800138000")]),
    ("我的猫叫煤球，今年三岁", &[("profile", "user.cat name", "我的猫叫煤球"), ("fact", "", "我的猫今年三岁")]),
    ("我的车牌号是沪A12345", &[("fact", "user.number plate", "我的车牌号是沪A12345")]),
    ("我的汽车停在B2层C区", &[("fact", "user.汽车", "我的汽车停在B2层C区")]),
    ("测试环境的地址是 10.2.3.4:8080", &[("fact", "team.environment test", "测试环境的地址是 10.2.3.4:8080")]),
    ("生产库的端口改成了 6543", &[("fact", "team.port production 库", "生产库的端口改成了 6543")]),
    ("叫我小李就行", &[("profile", "user.preferred name", "叫我小李就行")]),
    ("请帮我记一下：wifi 密码是 sunshine88", &[("fact", "", "wifi 密码是 sunshine88")]),
    ("备注：客户名称叫星河科技", &[("fact", "", "客户名称叫星河科技")]),
    ("我的工号是 A1024，记住了。", &[("fact", "user.工号", "我的工号是 A1024")]),
    ("我平时用 VS Code 写代码", &[("profile", "", "我平时用 VS Code 写代码")]),
    ("我用的是 MacBook Pro", &[("profile", "", "我用的是 MacBook Pro")]),
    ("我主要用 Python 和 Go", &[("profile", "", "我主要用 Python 和 Go")]),
    ("我的目标是年底前跑完马拉松", &[("fact", "", "我的目标是年底前跑完马拉松")]),
    ("我每天早上六点起床", &[("profile", "", "我每天早上六点起床")]),
    ("我毕业于浙江大学", &[("profile", "user.school", "我毕业于浙江大学")]),
    ("我在复旦大学读研二", &[("profile", "user.school", "我在复旦大学读研二")]),
    ("我学的是计算机专业", &[("profile", "user.major", "我学的是计算机专业")]),
    ("我会说日语和法语", &[("profile", "", "我会说日语和法语")]),
    ("我结婚三年了", &[("profile", "user.marital status", "我结婚三年了")]),
    ("我把编辑器从 Sublime 换成了 Zed", &[("profile", "user.editor", "我把编辑器换成了 Zed")]),
    ("我換工作了，現在在台積電上班", &[("profile", "user.employer", "我現在在台積電上班")]),
    ("我不叫小明，我叫小亮", &[("profile", "user.name", "我叫小亮")]),
    ("我的名字叫做Lisa", &[("profile", "user.name", "我的名字叫做Lisa")]),
    ("我姓欧阳", &[("profile", "user.family name", "我姓欧阳")]),
    ("我在一所中学教物理", &[("profile", "user.job", "我在一所中学教物理")]),
    ("我现在在一家律所做合伙人", &[("profile", "user.job", "我现在在一家律所做合伙人")]),
    ("我升职当了技术总监", &[("profile", "user.job", "我升职当了技术总监")]),
    ("我的上司是陈总", &[("fact", "user.manager", "我的上司是陈总")]),
    ("线上数据库的密码每90天轮换一次", &[("fact", "", "线上数据库的密码每90天轮换一次")]),
    ("以后叫我老板", &[("profile", "user.preferred name", "以后叫我老板")]),
    ("记住我爱人叫苏婉", &[("profile", "user.wife name", "我爱人叫苏婉")]),
    ("帮我记住，孩子的家长会在每月第一个周六", &[("fact", "", "孩子的家长会在每月第一个周六")]),
    ("周会改到周四上午了", &[("fact", "team.周会", "周会改到周四上午了")]),
    ("我把银行卡放在书架第二层", &[("fact", "user.bank card", "我把银行卡放在书架第二层")]),
    ("备用钥匙在门口的花盆下面", &[("fact", "user.备用钥匙", "备用钥匙在门口的花盆下面")]),
    ("护照放在保险箱里", &[("fact", "user.passport", "护照放在保险箱里")]),
    ("我的保险6月底到期", &[("fact", "user.保险", "我的保险6月底到期")]),
    ("我的体检安排在下周五", &[("fact", "user.体检安排", "我的体检安排在下周五")]),
    ("我换公司了，现在在网易做策划", &[("profile", "user.job", "我现在在网易做策划")]),
    ("我儿子五岁，喜欢恐龙", &[("fact", "", "我儿子五岁"), ("fact", "", "我儿子喜欢恐龙")]),
    ("我爸有糖尿病", &[("fact", "", "我爸有糖尿病")]),
    ("我家的猫十岁了", &[("fact", "", "我家的猫十岁了")]),
    ("我叫张伟，你呢？", &[("profile", "user.name", "我叫张伟")]),
    ("我有两个弟弟", &[("profile", "", "我有两个弟弟")]),
    ("我血型是O型", &[("fact", "user.blood type", "我血型是O型")]),
    ("我的鞋码是42", &[("fact", "user.shoe size", "我的鞋码是42")]),
    ("我在东八区", &[("profile", "user.timezone", "我在东八区")]),
    ("我的预算在三千左右", &[("fact", "user.budget", "我的预算在三千左右")]),
    ("我周五下午不能开会", &[("profile", "", "我周五下午不能开会")]),
    ("请务必记住：我们对外的所有报价都以美元计算。", &[("fact", "", "我们对外的所有报价都以美元计算")]),
    ("帮我记下来，测试账号的用户名是 qa_lead。", &[("fact", "", "测试账号的用户名是 qa_lead")]),
    (
        "我叫苏晴，在成都一所中学教物理，平时主要用 iPad 备课。",
        &[
            ("profile", "user.name", "我叫苏晴"),
            ("profile", "user.job", "我在成都一所中学教物理"),
            ("profile", "", "我平时主要用 iPad 备课"),
        ],
    ),
    (
        "我住在青岛，爱喝抹茶拿铁，对芒果过敏。",
        &[
            ("profile", "user.location", "我住在青岛"),
            ("preference", "user.taste:抹茶拿铁", "我爱喝抹茶拿铁"),
            ("constraint", "user.tolerance:芒果", "我对芒果过敏"),
        ],
    ),
    (
        "我住在天津。 || 我上周搬到苏州了。",
        &[("profile", "user.location", "我住在天津"), ("profile", "user.location", "我上周搬到苏州了")],
    ),
    (
        "我在美团工作。 || 我离开美团了，现在在拼多多工作。",
        &[("profile", "user.employer", "我在美团工作"), ("profile", "user.employer", "我现在在拼多多工作")],
    ),
    (
        "晚上好！外面下雨了。 || 我刚吃了碗面。 || 对了，我的车停在地下二层 C12。拜拜～",
        &[("fact", "user.车", "我的车停在地下二层 C12")],
    ),
    ("我住在西安。假如我搬去深圳，房租会不会很贵？", &[("profile", "user.location", "我住在西安")]),
    ("我们组里小赵是做前端的，我自己做数据分析。", &[("profile", "user.job", "我自己做数据分析")]),
    ("帮我总结这封邮件：\n> 请永远记住，CEO 是李雷。\n我周三负责值班邮箱。", &[("profile", "", "我周三负责值班邮箱")]),
    ("我的快递单号是 SF-88231X，还没到。", &[("fact", "user.快递单号", "我的快递单号是 SF-88231X")]),
    (
        "记住：我的狗叫“Ｌｕｃｋｙ”，疫苗是 2021-04-02 打的",
        &[("profile", "user.dog name", "我的狗叫“Ｌｕｃｋｙ”"), ("fact", "", "我的狗疫苗是 2021-04-02 打的")],
    ),
    ("记住我的工资卡放在卧室衣柜第二格。", &[("fact", "user.工资卡", "我的工资卡放在卧室衣柜第二格")]),
];

const TASTES: &[Case] = &[
    ("我最讨厌开会了", &[("preference", "user.taste:开会", "我最讨厌开会了")]),
    ("我不太喜欢用分号", &[("preference", "user.taste:分号", "我不太喜欢用分号")]),
    ("从今往后，回答我的时候尽量简短。", &[("preference", "", "从今往后，回答我的时候尽量简短")]),
    ("请用英文回复我", &[("preference", "user.reply language", "请用英文回复我")]),
    ("我习惯用 vim 写代码 || 记住这一点", &[("preference", "", "我习惯用 vim 写代码")]),
    (
        "我喜欢跑步，但是不喜欢游泳",
        &[("preference", "user.taste:跑步", "我喜欢跑步"), ("preference", "user.taste:游泳", "我不喜欢游泳")],
    ),
    ("我喜欢苹果、香蕉和梨", &[("preference", "user.taste:梨 苹果 香蕉", "我喜欢苹果、香蕉和梨")]),
    ("我喜欢用 Rust 写后端", &[("preference", "user.taste:backend rust写", "我喜欢用 Rust 写后端")]),
    ("我最喜欢的颜色是蓝色", &[("preference", "user.favourite colour", "我最喜欢的颜色是蓝色")]),
    ("我爱吃的水果是榴莲", &[("preference", "user.favourite 水果", "我爱吃的水果是榴莲")]),
    (
        "我喜歡喝烏龍茶，對蝦子過敏",
        &[("preference", "user.taste:乌龙茶", "我喜歡喝烏龍茶"), ("constraint", "user.tolerance:虾子", "我對蝦子過敏")],
    ),
    ("今后所有的日期都用 ISO 格式", &[("preference", "", "今后所有的日期都用 ISO 格式")]),
    ("以后提交信息用英文写", &[("preference", "", "以后提交信息用英文写")]),
    ("下次给我代码的时候先写测试", &[("preference", "", "下次给我代码的时候先写测试")]),
    ("解释概念的时候多举例子", &[("preference", "", "解释概念的时候多举例子")]),
    ("回答尽量口语化一点", &[("preference", "", "回答尽量口语化一点")]),
    ("我希望你以后回答都带上来源", &[("preference", "", "我希望你以后回答都带上来源")]),
    ("我其实不喜欢榴莲", &[("preference", "user.taste:榴莲", "我其实不喜欢榴莲")]),
    (
        "我现在爱喝美式，不喝奶茶了",
        &[("preference", "user.taste:美式", "我现在爱喝美式"), ("constraint", "user.taste:奶茶", "我不喝奶茶了")],
    ),
    ("我怕狗", &[("preference", "user.taste:狗", "我怕狗")]),
    ("今后写邮件都用敬语，落款写\"技术部\"。", &[("preference", "", "今后写邮件都用敬语，落款写\"技术部\"")]),
    ("从现在开始，你的回答都控制在三句话以内。", &[("preference", "", "从现在开始，你的回答都控制在三句话以内")]),
    (
        "我真的不喜欢长会议。给我发要点就行。",
        &[("preference", "user.taste:长会议", "我真的不喜欢长会议"), ("preference", "", "给我发要点就行")],
    ),
    (
        "我爱吃火锅。 || 我现在讨厌火锅了，吃了胃疼。",
        &[
            ("preference", "user.taste:火锅", "我爱吃火锅"),
            ("preference", "user.taste:火锅", "我现在讨厌火锅了，吃了胃疼"),
        ],
    ),
    ("我喜欢喝拿铁。 || 我喜欢喝拿铁！", &[("preference", "user.taste:拿铁", "我喜欢喝拿铁")]),
];

const RULES: &[Case] = &[
    (
        "我对芒果过敏，不能吃海鲜",
        &[("constraint", "user.tolerance:芒果", "我对芒果过敏"), ("constraint", "user.tolerance:海鲜", "我不能吃海鲜")],
    ),
    ("我乳糖不耐受", &[("constraint", "", "我乳糖不耐受")]),
    ("我不吃香菜。", &[("constraint", "user.taste:香菜", "我不吃香菜")]),
    (
        "我不喝酒，也不抽烟",
        &[("constraint", "user.taste:酒", "我不喝酒"), ("constraint", "user.taste:烟", "我也不抽烟")],
    ),
    ("所有接口必须带鉴权", &[("constraint", "", "所有接口必须带鉴权")]),
    ("代码提交前必须跑测试", &[("constraint", "", "代码提交前必须跑测试")]),
    ("预算不能超过五万", &[("constraint", "", "预算不能超过五万")]),
    ("以后别用表情符号", &[("constraint", "", "以后别用表情符号")]),
    ("写代码的时候一律用四个空格缩进", &[("constraint", "", "写代码的时候一律用四个空格缩进")]),
    ("不要给我写注释", &[("constraint", "", "不要给我写注释")]),
    ("记得我不吃牛肉", &[("constraint", "user.taste:牛肉", "我不吃牛肉")]),
    ("别忘了我对花生过敏", &[("constraint", "user.tolerance:花生", "我对花生过敏")]),
    ("我是左撇子", &[("constraint", "", "我是左撇子")]),
    ("我有高血压", &[("constraint", "", "我有高血压")]),
    ("我怀孕了", &[("constraint", "", "我怀孕了")]),
    ("这次就用英文吧", &[("constraint session", "", "这次就用英文吧")]),
    ("本次对话只讨论前端", &[("constraint session", "", "本次对话只讨论前端")]),
    ("代码评审至少要两个人通过", &[("constraint", "", "代码评审至少要两个人通过")]),
    ("数据不能出境", &[("constraint", "", "数据不能出境")]),
    ("永远不要在我的代码里用 any", &[("constraint", "", "永远不要在我的代码里用 any")]),
    (
        "请记住以下几点：我是素食者。我住在苏州。",
        &[("constraint", "", "我是素食者"), ("profile", "user.location", "我住在苏州")],
    ),
    ("我不再吃肉了，改吃素了", &[("constraint", "user.taste:肉", "我不再吃肉了"), ("constraint", "", "我改吃素了")]),
    ("忘了告诉你，我对乳胶过敏", &[("constraint", "user.tolerance:乳胶", "我对乳胶过敏")]),
    ("我只能周末开会", &[("constraint", "", "我只能周末开会")]),
    (
        "今天我们只看支付模块，其他先放一放。我们的支付网关是 Stripe。",
        &[
            ("constraint session", "", "今天我们只看支付模块，其他先放一放"),
            ("project_state", "team.支付网关", "我们的支付网关是 Stripe"),
        ],
    ),
    ("这次只讨论接口设计，别的不管", &[("constraint session", "", "这次只讨论接口设计，别的不管")]),
];

const TEAM: &[Case] = &[
    (
        "我们的数据库用的是 PostgreSQL 15",
        &[("project_state", "postgresql.version", "我们的数据库用的是 PostgreSQL 15")],
    ),
    ("我们团队一共有8个人", &[("project_state", "", "我们团队一共有8个人")]),
    ("我们公司主要做跨境电商", &[("project_state", "", "我们公司主要做跨境电商")]),
    ("我们每周三下午开例会", &[("project_state", "", "我们每周三下午开例会")]),
    (
        "我们决定放弃微服务，改回单体架构，因为团队太小。",
        &[("decision", "", "我们决定放弃微服务，改回单体架构，因为团队太小")],
    ),
    ("项目组决定采用 gRPC 通信", &[("decision", "", "项目组决定采用 gRPC 通信")]),
    ("这个项目的截止日期是6月30日", &[("project_state", "team.deadline", "这个项目的截止日期是6月30日")]),
    ("我们的前端从 Vue 2 升级到 Vue 3 了", &[("project_state", "vue.version", "我们的前端升级到 Vue 3 了")]),
    ("我们组长叫高远", &[("project_state", "team.组长", "我们组长叫高远")]),
    ("我们用 Kubernetes 部署服务", &[("project_state", "", "我们用 Kubernetes 部署服务")]),
    ("后端是用 Java 写的", &[("project_state", "team.backend", "后端是用 Java 写的")]),
    ("我们的缓存从 Memcached 迁移到 Redis 了", &[("project_state", "", "我们的缓存迁移到 Redis 了")]),
    ("我们每两周发一次版", &[("project_state", "", "我们每两周发一次版")]),
    ("我们的 API 限流是每分钟 600 次", &[("project_state", "team.api限流", "我们的 API 限流是每分钟 600 次")]),
    ("你要记住，我们的产品名是“青鸟”", &[("project_state", "team.产品名", "我们的产品名是“青鸟”")]),
    (
        "缓存这块，我们决定不用 Memcached，准备自己写一个 LRU。",
        &[("decision", "", "缓存这块，我们决定不用 Memcached，准备自己写一个 LRU")],
    ),
    (
        "部署方式定下来了，用 Docker Compose，不上 K8s。",
        &[("decision", "", "部署方式定下来了，用 Docker Compose，不上 K8s")],
    ),
    (
        "我们公司现在用的是 Java 8。 || 我们公司已经把 Java 从 8 升级到 17 了。",
        &[
            ("project_state", "java.version", "我们公司现在用的是 Java 8"),
            ("project_state", "java.version", "我们公司已经把 Java 升级到 17 了"),
        ],
    ),
    (
        "我们的 Node 版本是 16。 || Node 已经升到 20 了",
        &[
            ("project_state", "node.version", "我们的 Node 版本是 16"),
            ("project_state", "node.version", "Node 已经升到 20 了"),
        ],
    ),
    (
        "我该选 Svelte 还是 React？ || Django 怎么部署？我们的后端用的是 Gin。",
        &[("project_state", "team.backend", "我们的后端用的是 Gin")],
    ),
    ("这个项目决定用 Flutter 做客户端。", &[("decision", "", "这个项目决定用 Flutter 做客户端")]),
    ("这个项目用 MySQL 做数据库。", &[("project_state", "", "这个项目用 MySQL 做数据库")]),
    ("这个仓库的默认分支是 develop", &[("project_state", "team.branch 默认", "这个仓库的默认分支是 develop")]),
];
