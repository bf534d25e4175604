"""People and companies: an invitation by link, a new password by mail, the data of a company, a group, and the end of one."""

import email
import email.policy
import glob
import os
import re


def mails(site, to):
    """The texts of the mails to a person, in the order of their files' times."""
    found = []
    for path in sorted(glob.glob(os.path.join(site.folder, "data/mail/*.eml")), key=os.path.getmtime):
        with open(path, "rb") as file:
            mail = email.message_from_binary_file(file, policy=email.policy.default)
        if to in mail["To"]:
            found.append(mail.get_body().get_content())
    return found


def link(site, wait_for, to, path, number):
    """The path of the link in the how many-th mail of a kind to a person."""
    def links():
        found = [re.search(rf"https?://\S*({path}/[0-9A-Za-z]{{43}})", text) for text in mails(site, to)]
        return [one.group(1) for one in found if one]

    wait_for(f"the mail to {to}", lambda: len(links()) >= number)
    return links()[number - 1]


def invitation(site, driver, browser, company, pictures, holds, wait_for):
    browser.go(f"{company}/members/new")
    browser.fill(email="nora@example.com")
    browser.click("input[value=auditor]")
    browser.click("form.stack button.main")
    browser.link("nora@example.com")
    browser.picture("40-invited")
    at = link(site, wait_for, "nora@example.com", "/invitation", 1)
    nora = driver.browser(site.base, pictures)
    nora.scripts(False)
    nora.go(at)
    holds("the link of an invitation tells company, role and who invites", all(text in nora.text() for text in ["Ferretería Sol SL", "Auditor", "Ana Ruiz", "nora@example.com"]), nora.text())
    nora.picture("41-invitation-link")
    nora.fill(name="Nora Gil", password="short")
    nora.click("form.stack button.main")
    holds("a short password is refused there, and the name stays", nora.value("#name") == "Nora Gil" and nora.has("#password-wrong"))
    nora.fill(password="a staple of my own")
    nora.click("form.stack button.main")
    holds("a person founds their user behind it, without scripts, and is a member at once", "Ferretería Sol SL" in nora.text() and "Auditor" in nora.text(), nora.text())
    nora.scripts(True)
    nora.go(at)
    holds("and the link is dead", "was accepted" in nora.text())
    browser.go(f"{company}/members")
    holds("the company sees who it is", "Nora Gil" in browser.text())
    return nora


def forgotten(site, driver, nora, pictures, holds, wait_for, sign_in):
    other = driver.browser(site.base, pictures)
    other.go("/sign-in")
    other.link("Forgot the password?")
    other.fill(email="none@example.com")
    other.click("form.stack button.main")
    told = other.text()
    other.go("/forgotten")
    other.fill(email="nora@example.com")
    other.click("form.stack button.main")
    holds("a forgotten password is asked for with one answer for every address", other.text() == told and "a mail is on its way" in told, told)
    other.picture("42-forgotten")
    at = link(site, wait_for, "nora@example.com", "/reset", 1)
    other.go(at)
    other.picture("43-reset")
    other.fill(new="a second staple of mine", again="a second staple of mine")
    other.click("form.stack button.main")
    holds("the link of the mail sets another one", "The password is changed" in other.text(), other.text())
    nora.go("/companies")
    holds("and ends the sessions that were there", nora.has("#password"))
    sign_in(other, "nora@example.com", "a staple of my own")
    holds("the old password is no more", "do not belong together" in other.text())
    sign_in(other, "nora@example.com", "a second staple of mine")
    holds("the new one signs in", "Ferretería Sol SL" in other.text(), other.text())
    other.go(at)
    holds("the link works once", "used or too old" in other.text())
    wait_for("the mail that tells of it", lambda: any("was changed" in text or "se ha cambiado" in text for text in mails(site, "nora@example.com")))
    holds("a mail tells the person", True)
    other.close()


def data(browser, company, holds):
    browser.go(f"{company}/data")
    browser.fill(legal_name="Ferretería Luna SL", tax_id="B00000000", city="Madrid")
    browser.click("form.stack button.main")
    holds("what is wrong with the data of a company is said beside it, and what was typed stays", browser.has("#tax-id-wrong") and browser.value("#legal-name") == "Ferretería Luna SL" and browser.value("#city") == "Madrid", browser.text())
    browser.picture("44-data-wrong")
    browser.fill(tax_id="B12345674", line1="Calle Mayor 1", postal_code="28013")
    browser.click("form.stack button.main")
    holds("and they are saved", "The data are saved" in browser.text() and browser.value("#tax-id") == "B12345674", browser.text())
    browser.fill(legal_name="Ferretería Sol SL")
    browser.click("form.stack button.main")
    browser.picture("45-data")


def masked(nora, company, holds, sign_in):
    sign_in(nora, "nora@example.com", "a second staple of mine")
    nora.go(f"{company}/data")
    holds("an auditor reads them masked", "B******74" in nora.text() and "Calle Mayor" not in nora.text() and not nora.has("#tax-id"), nora.text())
    nora.picture("46-data-masked")


def group(browser, holds):
    browser.go("/groups")
    browser.link("Make a group")
    browser.fill(name="Grupo Sol")
    browser.click("form.stack button.main")
    holds("a group needs a company at its top", browser.has("#company-wrong") and browser.value("#name") == "Grupo Sol")
    browser.run("const one = document.querySelector('#company'); one.selectedIndex = 1")
    browser.click("form.stack button.main")
    holds("and is made with one", "Grupo Sol" in browser.text() and "At the top" in browser.text(), browser.text())
    browser.picture("47-group")


def life(browser, company, holds):
    browser.go(f"{company}/data")
    browser.link("Deactivate the company")
    holds("what follows from a deactivation is told before", "Those that have not ended go on reading" in browser.text() and "Members: 3" in browser.text(), browser.text())
    browser.picture("48-deactivate")
    browser.click("button.danger")
    browser.go(f"{company}/data")
    holds("a deactivated company is read and not changed", "The company is deactivated" in browser.text() and not browser.has("#legal-name"), browser.text())
    browser.link("Reactivate the company")
    browser.click("form button.main")
    browser.go(f"{company}/data")
    holds("and works again once it is reactivated", browser.has("#legal-name"))


def walk(site, driver, browser, company, pictures, holds, wait_for, sign_in):
    nora = invitation(site, driver, browser, company, pictures, holds, wait_for)
    forgotten(site, driver, nora, pictures, holds, wait_for, sign_in)
    data(browser, company, holds)
    masked(nora, company, holds, sign_in)
    group(browser, holds)
    life(browser, company, holds)
    nora.close()
